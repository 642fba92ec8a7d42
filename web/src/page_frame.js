import { contents } from "./contents.js";
import { element } from "./dom.js";
import { go_to_address } from "./page_data.js";
import { follow_reader } from "./render_queue.js";

/**
 * Puts a page together and keeps it up to date: head, contents, sections, foot.
 * @param {Object} page
 * @param {string} page.title
 * @param {(string|Node)[]} page.under what stands below the title
 * @param {string} page.settings what it was made with
 * @param {HTMLElement[]} page.sections
 * @param {function(string): string} page.short_name of a section, by its id
 */
export function show_page({ title, under, settings, sections, short_name }) {
  const entries = sections.map(({ id }) => ({ id, text: short_name(id) }));
  document
    .getElementById("page")
    .replaceChildren(
      element(
        "header",
        { class: "top" },
        element("p", { class: "kicker" }, "shortfall"),
        element("h1", {}, title),
        element("p", { class: "under" }, ...under),
      ),
      contents(entries, sections),
      element("main", {}, sections),
      element("footer", {}, `${settings}. This page needs no network: its data are in it.`),
    );
  follow_reader();
  go_to_address();
}
