import { element } from "./dom.js";

/**
 * A table with its caption, controls above it and a scrolling container.
 * @param {Object} parts
 * @param {string} parts.name used for the element id
 * @param {string} parts.caption
 * @param {?HTMLElement} [parts.controls]
 * @param {?HTMLElement} [parts.save] a button
 * @param {HTMLElement} parts.table
 * @returns {HTMLElement}
 */
export function table_card({ name, caption, controls = null, save = null, table }) {
  const title = element("h3", { id: `table-${name}-title` }, caption);
  table.setAttribute("aria-labelledby", title.id);
  const region = { class: "scroller", tabindex: "0", role: "region", "aria-labelledby": title.id };
  return element(
    "div",
    { class: "table", id: `table-${name}`, "data-table": name },
    element("div", { class: "table-head" }, title, save),
    controls,
    element("div", region, table),
  );
}
