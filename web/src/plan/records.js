import { chart_view } from "../chart_view.js";
import { demand_counts } from "../charts/demand_bars.js";
import { element } from "../dom.js";
import { count, fixed, percent } from "../format.js";
import { section } from "../page_data.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";
import { policy_name, weekday } from "./labels.js";
import { has_placeholders, money_of } from "./placeholders.js";

/**
 * The records beside the plan: demand, the rule in use, and a back-test.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} null without records
 */
export function records(data) {
  const { records: recorded, model } = data;
  if (!recorded) return null;
  const { first, last, fit, not_fitted, rule_in_use, backtest } = recorded;
  return section(
    "records",
    "Your records",
    element(
      "p",
      {},
      `${count(backtest.days)} days from ${first} to ${last}. ${rule_text(rule_in_use)}`,
    ),
    element("h3", {}, "Is the demand of the plan that of the records?"),
    fit ? element("p", {}, demand_sentence(fit)) : element("p", {}, `Not compared: ${not_fitted}.`),
    fit ? warnings(fit.warnings) : null,
    fit && fit.counts.length > 0 ? count_chart(fit, model) : null,
    fit ? mean_table(fit) : null,
    element("h3", {}, "What the plan would have cost on these days"),
    element("p", {}, backtest_sentence(backtest, money_of(data), !has_placeholders(data))),
    warnings(backtest.warnings),
    backtest_table(backtest),
  );
}

/** Exported for the tests. */
export function rule_text({ policy, agreement, reason }) {
  return policy === null
    ? `The rule behind the recorded orders was not recognised: ${reason}.`
    : `Behind the recorded orders is the rule “${policy_name(policy)}”, which gives ` +
        `${percent(agreement, 0)} of them.`;
}

function demand_sentence({ means, goodness_of_fit: p }) {
  const outside = means.filter((row) => row.is_outside);
  const days = outside.map((row) => (row.day === null ? "all days" : weekday(row.day)));
  const means_text =
    outside.length === 0
      ? "The mean demand of the plan is within the 95 % interval of the records."
      : `The mean demand of the plan is outside the 95 % interval of the records: ${days.join(", ")}.`;
  return p === null || p >= 0.01
    ? means_text
    : `${means_text} The fitted distribution does not describe the recorded days well (p = ${fixed(p, 4)}).`;
}

function warnings(texts) {
  if (texts.length === 0) return null;
  return element(
    "ul",
    { class: "notes" },
    texts.map((text) => element("li", {}, `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)),
  );
}

function count_chart({ counts }, model) {
  const choice = new PanelChoice(counts, [{ key: "day", label: "Day", phone: 0, text: weekday }]);
  return chart_view({
    name: "recorded-demand",
    title: "Recorded demand and the demand of the plan",
    caption:
      "Bars: recorded days by demand; lighter: the stock ran out, and demand was at least that. " +
      "Dots: the number of days that the plan expects.",
    rows: counts,
    controls: choice.controls,
    build: (context) => {
      const panels = choice.values_in("day", context).map((day) => ({
        title:
          model.days > 1 && choice.values_in("day", { print: true }).length > 1
            ? weekday(day)
            : null,
        rows: counts.filter((row) => row.day === day),
      }));
      return demand_counts(panels, context);
    },
  });
}

function mean_table({ means }) {
  const two = (value) => fixed(value, 2);
  const rows = means.map((row) => ({
    ...row,
    name: row.day === null ? "All days" : weekday(row.day),
    verdict: row.closed ? "closed" : row.is_outside ? "differs" : "agrees",
  }));
  return sortable_table({
    name: "recorded-means",
    caption: "Mean demand: records and plan",
    rows,
    columns: [
      { key: "name", label: "Day" },
      { key: "planned", label: "Plan", format: two },
      { key: "mean", label: "Records", format: two },
      { key: "mean_low", label: "95 % from", format: two },
      { key: "mean_high", label: "95 % to", format: two },
      { key: "verdict", label: "Plan and records" },
      { key: "days", label: "Days" },
      { key: "stockouts", label: "Stock-outs" },
    ],
  });
}

function backtest_sentence({ policies }, money, is_money) {
  const plan = policies.find(({ policy }) => policy === "plan");
  const actual = policies.find(({ policy }) => policy === "actual");
  const start = "Every rule faces the recorded demand and begins with the same stock.";
  if (!is_money) {
    return `${start} Its costs are placeholders: compare units, not amounts.`;
  }
  if (!actual) return `${start} The plan would have cost ${money(plan.cost)}.`;
  const less = plan.cost <= actual.cost;
  const difference = money(Math.abs(actual.cost - plan.cost));
  return (
    `${start} The plan would have cost ${money(plan.cost)}, ${difference} ${less ? "less" : "more"} ` +
    `than what happened (${money(actual.cost)}).`
  );
}

/** How shortages are written: where the stock ran out, those of what happened are bounds. Exported
 * for the tests.
 */
export const shortage_formats = {
  units: (value, { shortages }) => `${shortages === "at least" ? "at least " : ""}${count(value)}`,
  share: (value, { shortages }) =>
    `${shortages === "at least" ? "at most " : ""}${percent(value, 1)}`,
};

function backtest_table({ policies }) {
  const names = { plan: "Recommended", actual: "What happened" };
  const two = (value) => fixed(value, 2);
  const { units, share } = shortage_formats;
  return sortable_table({
    name: "backtest",
    caption: "The recorded days under each rule",
    rows: policies.map((row) => ({ ...row, name: names[row.policy] ?? policy_name(row.policy) })),
    columns: [
      { key: "name", label: "Rule" },
      { key: "cost", label: "Cost", format: (value) => fixed(value, 0) },
      { key: "cost_per_day", label: "Cost per day", format: two },
      { key: "units_short", label: "Units short", format: units },
      { key: "days_short", label: "Days short", format: units },
      { key: "units_expired", label: "Units expired" },
      { key: "orders", label: "Orders" },
      { key: "units_ordered", label: "Units ordered" },
      { key: "service_level", label: "Demand met", format: share },
    ],
  });
}
