import { has_placeholders, money_of } from "./placeholders.js";

const MONTH = 30;

/**
 * Exported for the tests: the level that is better than the chosen one in average cost and in a bad
 * month, as the table of levels shows them; of several the one with the lowest average cost.
 * @param {Object[]} levels
 * @returns {?Object} null if there is none
 */
export function dominating_level(levels) {
  const chosen = levels.find(({ is_chosen }) => is_chosen);
  if (!chosen || chosen.month_bad === null) return null;
  const shown = ({ cost_per_period, month_bad }) => [
    Number(cost_per_period.toFixed(2)),
    Math.round(month_bad),
  ];
  const [cost, month] = shown(chosen);
  const better = levels.filter((row) => {
    const [other_cost, other_month] = shown(row);
    return other_cost <= cost && other_month <= month && other_cost + other_month < cost + month;
  });
  return better.sort((a, b) => a.cost_per_period - b.cost_per_period)[0] ?? null;
}

function dominated_sentence({ levels }, money) {
  const better = dominating_level(levels);
  if (better === null) return "";
  const chosen = levels.find(({ is_chosen }) => is_chosen);
  return (
    ` In the simulation level ${better.level} is better by both: it costs ` +
    `${money(MONTH * better.cost_per_period)} instead of ${money(MONTH * chosen.cost_per_period)} in ` +
    `an average month, and ${money(better.month_bad)} instead of ${money(chosen.month_bad)} in a ` +
    "1\u2011in\u201120 bad one."
  );
}

/**
 * What caution buys, and what it costs: the plan beside the one with the lowest average cost, and
 * whether another level is better by both.
 * @param {Object} data the whole plan
 * @returns {string} nothing if the plan is not cautious, months are not known or costs are no money
 */
export function caution_sentence(data) {
  if (has_placeholders(data)) return "";
  const { policies, conclusions, levels } = data;
  const plan = policies.find(({ policy }) => policy === "optimal");
  const neutral = policies.find(({ policy }) => policy === "risk-neutral");
  if (conclusions.attitude.kind !== "averse" || !plan || !neutral) return "";
  if (plan.month_bad === null || neutral.month_bad === null) return "";
  const money = money_of(data);
  return bought_sentence(plan, neutral, money) + dominated_sentence({ levels }, money);
}

function bought_sentence(plan, neutral, money) {
  const price = -MONTH * neutral.extra_per_period;
  const error = 2 * MONTH * neutral.extra_standard_error;
  if (Math.abs(price) <= error) {
    return "On average it costs about the same as the plan with the lowest average cost.";
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
