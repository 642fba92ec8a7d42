import { element } from "../dom.js";
import { listed } from "../format.js";
import { money_in } from "./money.js";

/**
 * While a cost of the plan is a placeholder, amounts are not money and nothing is compared in them.
 * @param {{placeholder_costs?: string[]}} data the whole plan
 * @returns {boolean}
 */
export function has_placeholders({ placeholder_costs }) {
  return (placeholder_costs ?? []).length > 0;
}

/**
 * Writes amounts: in the currency of the plan unless they rest on placeholders.
 * @param {{currency: string, placeholder_costs?: string[]}} data the whole plan
 * @returns {(amount: ?number) => string}
 */
export function money_of(data) {
  return money_in(has_placeholders(data) ? "" : data.currency);
}

/**
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} a note, or null if all costs are the planner's own
 */
export function placeholder_note(data) {
  if (!has_placeholders(data)) return null;
  const names = data.placeholder_costs;
  return element(
    "p",
    { class: "note", role: "note" },
    element("strong", {}, "These costs are placeholders. "),
    `Nobody has replaced ${names.length === 1 ? "the cost" : "the costs"} ${listed(names)} in ` +
      `${data.source} yet. Orders follow from costs, and amounts on this page are not money: nothing ` +
      "is compared in them until the costs are your own.",
  );
}
