import { element } from "./dom.js";
import { to_csv } from "./csv.js";

/**
 * Downloads a file.
 * @param {string} name
 * @param {Blob} blob
 */
export function save_blob(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // A slow browser may read the blob long after the click.
  setTimeout(() => URL.revokeObjectURL(address), 120_000);
}

/**
 * Downloads rows as a CSV file.
 * @param {string} name
 * @param {Object<string, any>[]} rows
 */
export function save_csv(name, rows) {
  save_blob(`${name}.csv`, new Blob([to_csv(rows)], { type: "text/csv" }));
}

/**
 * A small save button.
 * @param {string} text the label, "CSV"
 * @param {string} what what is saved, for screen readers
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
