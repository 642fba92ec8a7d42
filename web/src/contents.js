import { element } from "./dom.js";

/**
 * A table of contents that stays in sight and marks the section being read.
 * @param {{id: string, text: string}[]} entries
 * @param {HTMLElement[]} sections those the entries lead to
 * @returns {HTMLElement}
 */
export function contents(entries, sections) {
  const links = new Map(
    entries.map(({ id, text }) => [id, element("a", { href: `#${id}` }, text)]),
  );
  const items = [...links.values()].map((link) => element("li", {}, link));
  const nav = element(
    "nav",
    { class: "contents", "aria-label": "Contents" },
    element("ol", {}, items),
  );
  const in_sight = new Set();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) in_sight.add(target.id);
        else in_sight.delete(target.id);
      }
      const current = entries.find(({ id }) => in_sight.has(id));
      for (const [id, link] of links) {
        if (id === current?.id) mark(link);
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-15% 0px -65% 0px" },
  );
  sections.forEach((section) => observer.observe(section));
  return nav;
}

function mark(link) {
  link.setAttribute("aria-current", "true");
  // On a phone the list is one line that scrolls sideways; the page itself must not move.
  const list = link.closest("ol");
  list.scrollLeft = link.offsetLeft - list.offsetLeft - 16;
}
