import { element } from "./dom.js";

/**
 * Key figures side by side: a large number with a name and a remark.
 * @param {{figure: string|Node, name: string, remark?: string}[]} tiles
 * @returns {HTMLElement}
 */
export function tiles(tiles) {
  return element(
    "dl",
    { class: "tiles" },
    tiles.map(({ figure, name, remark }) =>
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", { class: "figure" }, figure),
        remark ? element("dd", { class: "remark" }, remark) : null,
      ),
    ),
  );
}
