import { money_in } from "./money.js";

const MONTH = 30;

/**
 * What caution buys, and what it costs: the plan beside the one with the lowest average cost.
 * @param {{policies: Object[], conclusions: {attitude: {kind: string}}, currency: string}} data
 * @returns {string} one sentence, or nothing if the plan is not cautious or months are not known
 */
export function caution_sentence({ policies, conclusions, currency }) {
  const plan = policies.find(({ policy }) => policy === "optimal");
  const neutral = policies.find(({ policy }) => policy === "risk-neutral");
  if (conclusions.attitude.kind !== "averse" || !plan || !neutral) return "";
  if (plan.month_bad === null || neutral.month_bad === null) return "";
  const money = money_in(currency);
  const price = -MONTH * neutral.extra_per_period;
  const error = 2 * MONTH * neutral.extra_standard_error;
  if (Math.abs(price) <= error) {
    return "It costs no more on average than the plan with the lowest average cost.";
  }
  const months = `${money(plan.month_bad)} instead of ${money(neutral.month_bad)}`;
  const paid = `${money(price)} a month on average`;
  if (price > 0 && plan.month_bad < neutral.month_bad) {
    return `What caution buys: a 1\u2011in\u201120 bad month costs ${months}, for ${paid}.`;
  }
  if (price > 0) {
    const cases = `${money(plan.cost_q95)} instead of ${money(neutral.cost_q95)}`;
    return plan.cost_q95 < neutral.cost_q95
      ? `Caution costs ${paid} and makes bad days cheaper, not bad months: a 1\u2011in\u201120 bad ` +
          `case of the next days, discounted, costs ${cases}.`
      : `Caution costs ${paid}, and a 1\u2011in\u201120 bad month costs ${months}.`;
  }
  return `Compared with the lowest discounted average cost, a 1\u2011in\u201120 bad month costs ${months}.`;
}
