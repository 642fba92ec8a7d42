import { element } from "./dom.js";
import { to_csv } from "./csv.js";

/**
 * Offers a file to the reader, as a download.
 * @param {string} name
 * @param {Blob} blob
 */
export function save_blob(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Offers rows as a CSV file.
 * @param {string} name
 * @param {Object<string, any>[]} rows
 */
export function save_csv(name, rows) {
  save_blob(`${name}.csv`, new Blob([to_csv(rows)], { type: "text/csv" }));
}

/**
 * A small button that saves something.
 * @param {string} text what is on it, "CSV"
 * @param {string} what what is saved, for those who do not see where the button stands
 * @param {() => void} save
 * @returns {HTMLElement}
 */
export function save_button(text, what, save) {
  return element(
    "button",
    { type: "button", class: "save", "aria-label": `Save ${what} as ${text}`, onclick: save },
    text,
  );
}
