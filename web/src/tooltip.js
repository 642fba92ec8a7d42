import { element } from "./dom.js";

let box = null;

/**
 * Shows the values of a mark next to the pointer; a Vega tooltip handler.
 * @param {any} handler
 * @param {MouseEvent} event
 * @param {any} item
 * @param {?Object<string, any>|string} value name and text of each line; null hides the tooltip
 */
export function show_tooltip(handler, event, item, value) {
  if (!box) {
    box = element("div", { class: "tooltip", role: "presentation", hidden: true });
    document.body.append(box);
  }
  const has_text = value !== null && value !== undefined && value !== "";
  box.hidden = !has_text;
  if (!has_text) return;
  const lines = typeof value === "object" ? Object.entries(value) : [["", value]];
  box.replaceChildren(
    ...lines.map(([name, text]) =>
      element("div", {}, name ? element("span", {}, name) : null, String(text)),
    ),
  );
  const { innerWidth, innerHeight } = window;
  const { offsetWidth, offsetHeight } = box;
  box.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - offsetWidth - 8))}px`;
  const below = event.clientY + 14;
  const fits = below + offsetHeight < innerHeight - 8;
  box.style.top = `${fits ? below : event.clientY - offsetHeight - 10}px`;
}
