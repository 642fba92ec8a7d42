/**
 * What the pages use of a browser, without one: elements keep their attributes and children, and
 * nothing is shown. Where a page would wait for its reader, nothing happens.
 */

class InertElement {
  constructor(tag) {
    this.tag = tag;
    this.attributes = new Map();
    this.children = [];
    this.dataset = {};
    this.style = {};
    this.clientWidth = 0; // nothing can be drawn in it
    this.hidden = false;
  }

  get id() {
    return this.getAttribute("id") ?? "";
  }

  /** Texts are children, too. */
  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join("");
  }

  set textContent(text) {
    this.children = [String(text)];
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  /** By tag only, which is all that the pages ask for. */
  querySelector(tag) {
    return this.descendants().find((element) => element.tag === tag) ?? null;
  }

  /** Elements below this one, without what is hidden. */
  descendants() {
    return this.children
      .filter((child) => child instanceof InertElement && !child.hidden)
      .flatMap((child) => [child, ...child.descendants()]);
  }

  addEventListener() {}
}

class InertObserver {
  observe() {}
}

/**
 * @param {string} data of the page, JSON
 * @returns {Object} the document, with the elements `page` and `data`
 */
export function inert_document(data) {
  const page = new InertElement("div");
  const known = { page, data: { textContent: data } };
  return {
    createElement: (tag) => new InertElement(tag),
    createElementNS: (_, tag) => new InertElement(tag),
    getElementById: (id) => known[id] ?? null,
    documentElement: new InertElement("html"),
  };
}

/** A large window, in which nothing is drawn; its address says Monday, so that the clock has no part in what is drawn. */
export function inert_window() {
  return {
    innerWidth: 1280,
    innerHeight: 900,
    location: { hash: "#day=mon", pathname: "" },
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    addEventListener() {},
  };
}

/** Further names that the pages use. */
export const inert_globals = {
  ResizeObserver: InertObserver,
  IntersectionObserver: InertObserver,
  reportError: (error) => {
    throw error;
  },
};
