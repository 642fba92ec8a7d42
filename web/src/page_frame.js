import { contents } from "./contents.js";
import { element } from "./dom.js";
import { scroll_to_hash } from "./page_data.js";
import { redraw_on_change } from "./render_queue.js";

/**
 * Assembles a page (header, contents, sections, footer) and keeps its charts up to date.
 * @param {Object} page
 * @param {string} page.title
 * @param {(string|Node)[]} page.subtitle
 * @param {string} page.settings version, seed and the like, for the footer
 * @param {HTMLElement[]} page.sections
 * @param {function(string): string} page.short_name entry in the contents, by section id
 */
export function show_page({ title, subtitle, settings, sections, short_name }) {
  const entries = sections.map(({ id }) => ({ id, text: short_name(id) }));
  document
    .getElementById("page")
    .replaceChildren(
      element(
        "header",
        { class: "top" },
        element("p", { class: "kicker" }, "shortfall"),
        element("h1", {}, title),
        element("p", { class: "subtitle" }, ...subtitle),
      ),
      contents(entries, sections),
      element("main", {}, sections),
      element("footer", {}, `${settings}. This page works offline: all data are included.`),
    );
  redraw_on_change();
  scroll_to_hash();
}
