import { chart_view } from "../chart_view.js";
import { cost_distribution } from "../charts/cost_distribution.js";
import { cost_parts } from "../charts/cost_parts.js";
import { policy_bars } from "../charts/policy_bars.js";
import { element } from "../dom.js";
import { fixed, percent } from "../format.js";
import { section } from "../page_data.js";
import { sortable_table } from "../sortable_table.js";
import { is_neutral, policy_name } from "./words.js";

const RATES = [
  { key: "service_level", title: { text: "Supplied", subtitle: "of demand" }, format: ".1%" },
  {
    key: "shortage_rate",
    title: { text: "Could not be supplied", subtitle: "units a day" },
    format: ".2f",
  },
  { key: "wastage_rate", title: { text: "Thrown away", subtitle: "units a day" }, format: ".2f" },
];
const PARTS = [
  { key: "order_cost_per_period", label: "ordering" },
  { key: "holding_cost_per_period", label: "keeping" },
  { key: "shortage_cost_per_period", label: "not supplying" },
  { key: "wastage_cost_per_period", label: "throwing away" },
];

/**
 * The plan beside simpler rules.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement}
 */
export function comparison({ policies, costs, model }) {
  if (policies.length === 0) return null;
  const named = policies.map((policy) => ({ ...policy, name: policy_name(policy.policy) }));
  return section(
    "comparison",
    "Compared with simpler rules",
    element("p", {}, "All rules met the same simulated demand and the same deliveries."),
    element(
      "ul",
      { class: "rules" },
      named.map((rule) => rule_words(rule, model.loss)).filter(Boolean),
    ),
    rate_chart(named),
    parts_chart(named),
    costs.length > 0 ? cost_chart(named, costs) : null,
    policy_table(named),
  );
}

function rule_words({ policy, name }, loss) {
  const words = {
    optimal: "the plan of this page.",
    static: "orders up to a fixed number of units, and forgets that units expire.",
    myopic: "looks at today's costs only, not at what is left for tomorrow.",
    "risk-neutral": is_neutral(loss)
      ? "plans for the lowest average cost. So does this plan: here the two are the same."
      : "plans for the lowest average cost, and does not mind bad days more than good ones.",
  };
  if (!words[policy]) return null;
  return element("li", {}, element("strong", {}, name), `: ${words[policy]}`);
}

function rate_chart(policies) {
  return chart_view({
    name: "rates",
    title: "Supplied, missing, thrown away",
    caption: "What happens to demand and to units under each rule, on an average day.",
    rows: policies.map(({ name, service_level, shortage_rate, wastage_rate }) => ({
      rule: name,
      service_level,
      shortage_rate,
      wastage_rate,
    })),
    build: (around) => policy_bars({ policies, measures: RATES }, around),
  });
}

function parts_chart(policies) {
  return chart_view({
    name: "cost-parts",
    title: "What the cost of a day is made of",
    caption: "Average cost a day under each rule, by what it is paid for.",
    rows: policies.map((policy) => ({
      rule: policy.name,
      ...Object.fromEntries(PARTS.map(({ key }) => [key, policy[key]])),
    })),
    build: (around) => cost_parts({ policies, parts: PARTS }, around),
  });
}

function cost_chart(policies, costs) {
  const rows = costs.map((row) => ({ ...row, series: policy_name(row.policy) }));
  const labels = policies.map(({ name }) => name);
  return chart_view({
    name: "costs",
    title: "How likely the cost stays below an amount",
    caption:
      "Share of simulated runs that cost at most the amount on the axis, counted from today with " +
      "later days counting less. A line further to the left is a cheaper rule; where lines cross, " +
      "one is cheaper on good days and the other on bad ones. The dearest half percent is left out.",
    rows: costs,
    build: (around) =>
      cost_distribution(
        { panels: [{ title: null, rows }], labels, x_title: "cost", y_title: "share of runs" },
        around,
      ),
  });
}

function policy_table(rows) {
  const one = (value) => fixed(value, 1);
  const two = (value) => fixed(value, 2);
  const share = (value) => percent(value, 1);
  return sortable_table({
    name: "policies",
    caption: "The rules in numbers",
    rows,
    columns: [
      { key: "name", label: "Rule" },
      { key: "cost_per_period", label: "Cost a day", format: two },
      { key: "service_level", label: "Demand supplied", format: share },
      { key: "periods_short", label: "Days running short", format: share },
      { key: "wasted_fraction", label: "Thrown away, of arrivals", format: share },
      { key: "order_frequency", label: "Days with an order", format: share },
      { key: "mean_order", label: "Units ordered a day", format: two },
      { key: "mean_stock", label: "Units in stock", format: one },
      { key: "cost_q50", label: "Usual cost from today on", format: one },
      { key: "cost_q95", label: "1-in-20 bad case", format: one },
      { key: "gap_percent", label: "Worse, as the attitude weighs it, %", format: two },
    ],
  });
}
