import { chart_view } from "../chart_view.js";
import { cost_distribution } from "../charts/cost_distribution.js";
import { cost_breakdown } from "../charts/cost_breakdown.js";
import { policy_bars } from "../charts/policy_bars.js";
import { element } from "../dom.js";
import { fixed, percent } from "../format.js";
import { section } from "../page_data.js";
import { sortable_table } from "../sortable_table.js";
import { BAD_MONTH, policy_name } from "./labels.js";

const RATES = [
  {
    key: "unmet_share",
    title: { text: "Demand not met", subtitle: "share of demand" },
    format: ".1%",
  },
  {
    key: "periods_short",
    title: { text: "Days with a shortage", subtitle: "share of days" },
    format: ".1%",
  },
  { key: "wastage_rate", title: { text: "Wasted", subtitle: "units per day" }, format: ".2f" },
];
const COMPONENTS = [
  { key: "order_cost_per_period", label: "ordering" },
  { key: "holding_cost_per_period", label: "holding" },
  { key: "shortage_cost_per_period", label: "shortage" },
  { key: "wastage_cost_per_period", label: "wastage" },
];
const UNITS = { key: "unit_cost_per_period", label: "units ordered" };

/** The components of the cost per day; that of units only if they cost anything. */
function components_of(policies) {
  return policies.some((policy) => policy[UNITS.key] > 0) ? [...COMPONENTS, UNITS] : COMPONENTS;
}

/**
 * The plan compared with simpler rules.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement}
 */
export function comparison({ policies, costs, conclusions }) {
  if (policies.length === 0) return null;
  // The plan, the planner's own rules, and then the others.
  const place = ({ policy, is_own }) => (policy === "optimal" ? 0 : is_own ? 1 : 2);
  const rules = [...policies]
    .sort((a, b) => place(a) - place(b))
    .map((policy) => ({
      ...policy,
      name: policy_name(policy.policy),
      unmet_share: 1 - policy.service_level,
      units_ordered_per_period: units_ordered_per_period(policy),
    }));
  return section(
    "comparison",
    "Compared with other rules",
    element("p", {}, "All rules were simulated on identical random demand and deliveries."),
    element(
      "ul",
      { class: "rules" },
      rules.map((rule) => rule_description(rule, conclusions.attitude.kind)).filter(Boolean),
    ),
    rate_chart(rules),
    breakdown_chart(rules),
    costs.length > 0 ? cost_chart(rules, costs) : null,
    policy_table(rules),
  );
}

/**
 * Exported for the tests: `mean_order` is the mean size of an order, over days with an order only.
 * @param {{order_frequency: number, mean_order: number}} policy
 * @returns {number}
 */
export function units_ordered_per_period({ order_frequency, mean_order }) {
  return order_frequency * mean_order;
}

function rule_description({ policy, name, is_own }, attitude) {
  const descriptions = {
    optimal: "the plan on this page.",
    static: "orders up to a fixed level and ignores that units expire.",
    myopic: "considers today's costs only, not what is left for tomorrow.",
    "risk-neutral":
      attitude === "neutral"
        ? "minimises the average cost. So does this plan, so here the two are the same."
        : "minimises the average cost and gives high and low costs the same weight.",
  };
  const text = is_own ? "your own rule." : descriptions[policy];
  if (!text) return null;
  return element("li", {}, element("strong", {}, name), `: ${text}`);
}

function rate_chart(policies) {
  return chart_view({
    name: "rates",
    title: "Shortages and waste",
    caption: "What goes wrong under each rule: shorter bars are better.",
    rows: policies.map(({ name, unmet_share, periods_short, wastage_rate }) => ({
      rule: name,
      unmet_share,
      periods_short,
      wastage_rate,
    })),
    build: (context) => policy_bars({ policies, measures: RATES }, context),
  });
}

function breakdown_chart(policies) {
  const components = components_of(policies);
  return chart_view({
    name: "cost-breakdown",
    title: "Cost per day by component",
    caption: "Average cost per day under each rule.",
    rows: policies.map((policy) => ({
      rule: policy.name,
      ...Object.fromEntries(components.map(({ key }) => [key, policy[key]])),
    })),
    build: (context) => cost_breakdown({ policies, components }, context),
  });
}

function cost_chart(policies, costs) {
  const rows = costs.map((row) => ({ ...row, series: policy_name(row.policy) }));
  const labels = policies.map(({ name }) => name);
  return chart_view({
    name: "costs",
    title: "Probability that the cost stays below an amount",
    caption:
      "Share of simulated runs whose total cost from today, with later days discounted, is at most " +
      "the amount on the axis. A line further left means a cheaper rule; where lines cross, one " +
      "rule is cheaper in good runs and the other in bad runs. The costliest 0.5 % of runs are not " +
      "shown.",
    rows: costs,
    build: (context) =>
      cost_distribution(
        { panels: [{ title: null, rows }], labels, x_title: "cost", y_title: "share of runs" },
        context,
      ),
  });
}

function policy_table(rows) {
  const one = (value) => fixed(value, 1);
  const two = (value) => fixed(value, 2);
  const whole = (value) => fixed(value, 0);
  const share = (value) => percent(value, 1);
  return sortable_table({
    name: "policies",
    caption: "The rules in numbers",
    rows,
    columns: [
      { key: "name", label: "Rule" },
      { key: "cost_per_period", label: "Cost per day", format: two },
      { key: "service_level", label: "Demand met", format: share },
      { key: "periods_short", label: "Days with a shortage", format: share },
      { key: "wasted_fraction", label: "Share of deliveries wasted", format: share },
      { key: "order_frequency", label: "Days with an order", format: share },
      { key: "mean_order", label: "Mean order size", format: two },
      { key: "units_ordered_per_period", label: "Units ordered per day", format: two },
      { key: "mean_stock", label: "Mean stock", format: one },
      { key: "month_median", label: "Median month", format: whole },
      { key: "month_bad", label: BAD_MONTH, format: whole },
      { key: "gap_percent", label: "Extra risk-adjusted cost, %", format: two },
    ],
  });
}
