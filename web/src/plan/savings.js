import { element } from "../dom.js";
import { percent } from "../format.js";
import { section } from "../page_data.js";
import { tiles } from "../tiles.js";
import { policy_name } from "./labels.js";
import { money_in } from "./money.js";

const [WEEK, YEAR] = [7, 365];

/**
 * What the plan saves beside the planner's own rules, in money.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} null without own rules
 */
export function savings(data) {
  const plan = data.policies.find(({ policy }) => policy === "optimal");
  const own = data.policies.filter(({ is_own, policy }) => is_own && policy !== "optimal");
  if (own.length === 0) return null;
  const in_use = data.records?.rule_in_use.policy ?? null;
  return section(
    "savings",
    own.length === 1 ? "Compared with your rule" : "Compared with your rules",
    own.map((rule) => rule_part(rule, { plan, in_use, money: money_in(data.currency) })),
  );
}

function rule_part(rule, { plan, in_use, money }) {
  const name = policy_name(rule.policy);
  const used = rule.policy === in_use ? ", the rule in your records" : "";
  return element(
    "div",
    { class: "saving", "data-rule": rule.policy },
    element("h3", {}, `${name}${used}`),
    element("p", { class: "answer" }, saving_sentence(rule, money)),
    element("p", {}, service_sentence(rule, plan)),
    tiles(figures(rule, plan, money)),
  );
}

/**
 * Exported for the tests: the saving per week and year, with twice its standard error.
 * @param {{extra_per_period: number, extra_standard_error: ?number}} rule
 * @param {(amount: number) => string} money
 * @returns {(string|Node)[]}
 */
export function saving_sentence({ extra_per_period: extra, extra_standard_error: error }, money) {
  const margin = error === null ? Infinity : 2 * WEEK * error;
  if (Math.abs(WEEK * extra) <= margin) {
    return ["On average the plan and this rule cost about the same."];
  }
  const verb = extra > 0 ? "saves" : "costs";
  const more = extra > 0 ? "" : " more";
  return [
    `The plan ${verb} `,
    element("strong", {}, money(WEEK * Math.abs(extra))),
    `${more} a week, about `,
    element("strong", {}, money(YEAR * Math.abs(extra))),
    " a year.",
  ];
}

function service_sentence(rule, plan) {
  const met = `${percent(plan.service_level, 1)} of demand is met instead of ${percent(rule.service_level, 1)}`;
  const wasted = `${percent(plan.wasted_fraction, 1)} of the units delivered expire instead of ${percent(rule.wasted_fraction, 1)}`;
  const days = `${percent(plan.order_frequency, 0)} of days have an order instead of ${percent(rule.order_frequency, 0)}`;
  return `With the plan, ${met}, ${wasted}, and ${days}.`;
}

function figures(rule, plan, money) {
  const error = rule.extra_standard_error;
  const cost = {
    name: "Average cost per week",
    figure: `${money(WEEK * plan.cost_per_period)}`,
    remark:
      `instead of ${money(WEEK * rule.cost_per_period)}` +
      (error === null ? "" : `; the difference is known to within ${money(2 * WEEK * error)}`),
  };
  if (rule.month_bad === null) return [cost];
  return [
    cost,
    {
      name: "Median month",
      figure: money(plan.month_median),
      remark: `instead of ${money(rule.month_median)}, for 30 days`,
    },
    {
      name: "1\u2011in\u201120 bad month",
      figure: money(plan.month_bad),
      remark: `instead of ${money(rule.month_bad)}, for 30 days`,
    },
  ];
}
