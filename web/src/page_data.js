import { element } from "./dom.js";

/**
 * The data embedded in the page.
 * @returns {Object}
 */
export function page_data() {
  return JSON.parse(document.getElementById("data").textContent);
}

/**
 * A section with a heading that can be linked to.
 * @param {string} id
 * @param {string} title
 * @param {...(Node|null)} children
 * @returns {HTMLElement}
 */
export function section(id, title, ...children) {
  const heading = element("h2", { id: `${id}-title` }, title);
  return element("section", { id, "aria-labelledby": `${id}-title` }, heading, ...children);
}

/** Scrolls to the section in the URL, which did not exist yet when the page was loaded. */
export function scroll_to_hash() {
  const id = decodeURIComponent(window.location.hash.slice(1));
  if (id !== "") document.getElementById(id)?.scrollIntoView();
}
