import { element } from "./dom.js";

/**
 * A sticky table of contents that highlights the current section.
 * @param {{id: string, text: string}[]} entries
 * @param {HTMLElement[]} sections the link targets
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
  const visible = new Set();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) visible.add(target.id);
        else visible.delete(target.id);
      }
      const current = entries.find(({ id }) => visible.has(id));
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
  // On a phone the list is one line that scrolls sideways; scrollIntoView would also move the page.
  const list = link.closest("ol");
  list.scrollLeft = link.offsetLeft - list.offsetLeft - 16;
}
