import { element } from "./dom.js";

/**
 * The data the page was made with.
 * @returns {Object}
 */
export function page_data() {
  return JSON.parse(document.getElementById("data").textContent);
}

/**
 * A section with a heading and an address.
 * @param {string} id
 * @param {string} title
 * @param {...(Node|null)} children
 * @returns {HTMLElement}
 */
export function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

/** Goes to the section the address names, which was not there when the browser looked for it. */
export function go_to_address() {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (id !== "") document.getElementById(id)?.scrollIntoView();
}
