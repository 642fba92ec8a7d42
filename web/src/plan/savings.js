import { element } from "../dom.js";
import { count, percent } from "../format.js";
import { section } from "../page_data.js";
import { tiles } from "../tiles.js";
import { policy_name } from "./labels.js";
import { has_placeholders, money_of } from "./placeholders.js";

const [WEEK, YEAR] = [7, 365];

/**
 * What the plan saves beside the planner's own rules, in money. With records, what happened on the
 * recorded days comes first: a rule is what somebody meant to do, on days that were simulated.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} null without own rules
 */
export function savings(data) {
  const plan = data.policies.find(({ policy }) => policy === "optimal");
  const own = data.policies.filter(({ is_own, policy }) => is_own && policy !== "optimal");
  if (own.length === 0) return null;
  const money = money_of(data);
  const in_use = data.records?.rule_in_use.policy ?? null;
  const context = { plan, in_use, money, is_money: !has_placeholders(data) };
  const days = context.is_money ? recorded_days(data) : null;
  return section(
    "savings",
    own.length === 1 ? "Compared with your rule" : "Compared with your rules",
    days === null ? null : element("p", { class: "answer" }, recorded_sentence(days, money)),
    days === null ? null : element("p", {}, recorded_caution(data.records.backtest)),
    own.map((rule) => rule_part(rule, { ...context, days })),
  );
}

/** The recorded days under the plan, as they were, and under the rule behind them, if known. */
function recorded_days({ records }) {
  if (!records) return null;
  const { policies, days } = records.backtest;
  const row = (name) => policies.find(({ policy }) => policy === name) ?? null;
  const actual = row("actual");
  if (actual === null) return null;
  const { policy, agreement } = records.rule_in_use;
  return { days, plan: row("plan"), actual, rule: policy === null ? null : row(policy), agreement };
}

/**
 * Exported for the tests: the plan beside what happened.
 * @returns {string}
 */
export function recorded_sentence({ days, plan, actual }, money) {
  const difference = actual.cost - plan.cost;
  return (
    `On the ${count(days)} days of your records the plan would have cost ` +
    `${money(Math.abs(difference))} ${difference >= 0 ? "less" : "more"} than what happened: ` +
    `${money(plan.cost)} instead of ${money(actual.cost)}.`
  );
}

function recorded_caution({ policies, censored_days: censored }) {
  const actual = policies.find(({ policy }) => policy === "actual");
  const unknown =
    actual.shortages === "at least"
      ? ` What was missing on the ${count(censored)} days on which the stock ran out is not recorded ` +
        "and costs nothing here, which makes what happened look cheaper than it was."
      : "";
  return `A plan that was fitted to these days has seen them, which flatters it.${unknown}`;
}

/** The sentence as the end of another one. */
function lower([first, ...rest]) {
  return [first.charAt(0).toLowerCase() + first.slice(1), ...rest];
}

function rule_part(rule, { plan, in_use, money, is_money, days }) {
  const name = policy_name(rule.policy);
  const is_in_use = rule.policy === in_use;
  const saving = is_money
    ? element(
        "p",
        { class: days === null ? "answer" : "simulated" },
        ...(days === null
          ? saving_sentence(rule, money)
          : ["On simulated days, with the demand of the plan: ", ...lower(saving_sentence(rule, money))]),
      )
    : null;
  return element(
    "div",
    { class: "saving", "data-rule": rule.policy },
    element("h3", {}, `${name}${is_in_use ? ", the rule in your records" : ""}`),
    saving,
    is_money && is_in_use && days?.rule ? element("p", {}, why_different(days, money)) : null,
    element("p", {}, service_sentence(rule, plan)),
    is_money ? tiles(figures(rule, plan, money)) : null,
  );
}

/**
 * Exported for the tests: why the simulated comparison with the rule in use and the recorded one
 * with what happened are not the same.
 * @returns {string}
 */
export function why_different({ rule, plan, actual, agreement }, money) {
  const beside = (difference, less, more) =>
    `${money(Math.abs(difference))} ${difference >= 0 ? less : more}`;
  if (Math.abs(rule.cost - actual.cost) < 0.005 * actual.cost) {
    return (
      "This is another comparison than the one above. Your records follow the rule, so that the two " +
      "differ in their days: simulated ones count all demand that is missed, and recorded ones only " +
      "what was written down. For what the plan would save you, go by what happened, and mind what it " +
      "leaves out."
    );
  }
  return (
    `This is another comparison than the one above: it has the rule on all days, and your records ` +
    `follow it on ${percent(agreement, 0)} of them. On the recorded days the rule itself would have ` +
    `cost ${money(rule.cost)}: ${beside(rule.cost - actual.cost, "more", "less")} than what happened, ` +
    `and ${beside(rule.cost - plan.cost, "more", "less")} than the plan. For what the plan would save ` +
    "you, go by what happened."
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
