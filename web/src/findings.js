import { element, svg_element } from "./dom.js";

/** The label of each verdict, and a shape so that it can be recognised without colour. */
export const VERDICTS = {
  confirmed: {
    label: "Confirmed",
    shape: [["circle", { cx: 8, cy: 8, r: 7 }]],
    sign: "M4.6 8.3l2.3 2.4 4.5-5",
  },
  refuted: {
    label: "Refuted",
    shape: [["path", { d: "M8 .6 15.4 8 8 15.4.6 8z" }]],
    sign: "M5.7 5.7l4.6 4.6m0-4.6-4.6 4.6",
  },
  "not-reproduced": {
    label: "Not reproduced",
    shape: [["path", { d: "M8 1 15.5 14.5H.5z" }]],
    sign: "M8 5.6v4.2m0 1.6v1.2",
  },
  "not-comparable": {
    label: "Not comparable",
    shape: [["rect", { x: 1, y: 3.5, width: 14, height: 9, rx: 4.5 }]],
    sign: "M4.5 6.7h7m-7 2.8h7",
  },
  open: {
    label: "Open",
    shape: [["rect", { x: 1.5, y: 1.5, width: 13, height: 13, rx: 2 }]],
    sign: "M4.8 8h6.4",
  },
};

/**
 * @param {string} verdict
 * @returns {SVGElement} a shape with a sign, such as a disc with a tick
 */
export function verdict_icon(verdict) {
  const { shape, sign } = VERDICTS[verdict] ?? VERDICTS.open;
  return svg_element(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true", focusable: "false" },
    ...shape.map(([tag, attributes]) => svg_element(tag, { ...attributes, class: "shape" })),
    svg_element("path", { d: sign, class: "sign" }),
  );
}

/**
 * @param {string} verdict
 * @returns {HTMLElement} icon and label
 */
export function verdict_badge(verdict) {
  const { label } = VERDICTS[verdict] ?? VERDICTS.open;
  return element("span", { class: `badge ${verdict}` }, verdict_icon(verdict), label);
}

/**
 * The findings of a study: the claim, the published result and the result here.
 * @param {{claim: string, published: string, found: string, verdict: string, origin: string}[]} findings
 * @returns {?HTMLElement} null if there are none
 */
export function findings_list(findings) {
  if (findings.length === 0) return null;
  const items = findings.map(({ claim, published, found, verdict, origin }) =>
    element(
      "li",
      { class: `finding ${verdict}`, "data-verdict": verdict },
      element(
        "p",
        { class: "claim" },
        verdict_badge(verdict),
        origin === "ours" ? " Our own claim: " : " ",
        claim,
      ),
      element(
        "dl",
        {},
        published === "" ? null : labelled_text("Paper", published),
        labelled_text("Here", found),
      ),
    ),
  );
  return element("ul", { class: "findings" }, items);
}

function labelled_text(label, text) {
  return element("div", {}, element("dt", {}, label), element("dd", {}, text));
}
