/**
 * Creates an element. Text is added as text nodes only, so data cannot become markup. Attributes
 * that are null, undefined or false are omitted; `true` gives an empty attribute.
 * @param {string} tag
 * @param {Object<string, any>} [attributes] names as in HTML; "on..." adds a listener
 * @param {...(Node|string|number|null)} children null is skipped
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set_attributes(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...Node} children
 * @returns {SVGElement}
 */
export function svg_element(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set_attributes(made, attributes);
  made.append(...children);
  return made;
}

/**
 * A labelled <select>.
 * @param {{label: string, options: {value: string, text: string}[], value: string,
 *          on_change: (value: string) => void}} options
 * @returns {HTMLElement} the label containing the select
 */
export function labelled_select({ label, options, value, on_change }) {
  const select = element(
    "select",
    { onchange: () => on_change(select.value) },
    options.map((option) =>
      element("option", { value: option.value, selected: option.value === value }, option.text),
    ),
  );
  return element("label", { class: "field" }, element("span", {}, label), select);
}

function set_attributes(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
}
