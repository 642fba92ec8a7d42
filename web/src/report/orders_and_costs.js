import { chart_view } from "../chart_view.js";
import { cost_distribution } from "../charts/cost_distribution.js";
import { gap_by_iteration, SMALLEST_GAP } from "../charts/gap_by_iteration.js";
import { order_maps } from "../charts/order_maps.js";
import { fixed, percent } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";
import { distinct } from "../sorting.js";
import { open_choices } from "./trained_tables.js";

const two = (value) => fixed(value, 2);
const by_setting = [
  { key: "cost", label: "Cost", phone: "(10,1,20,5)" },
  { key: "tau", label: "τ" },
];

/**
 * The optimal orders by stock.
 * @param {Object} study figure-policies
 * @returns {HTMLElement[]}
 */
export function best_orders({ study, tables }) {
  const { orders = [], regions = [] } = tables;
  if (orders.length === 0) return [];
  const choice = new PanelChoice(orders, by_setting);
  const build = (context) => {
    const taus = choice.values("tau");
    const panels = choice.values("cost").flatMap((cost) =>
      taus.map((tau) => ({
        title: { text: `τ ${tau}`, subtitle: cost },
        rows: orders.filter((row) => row.cost === cost && row.tau === tau),
      })),
    );
    return order_maps({ panels, columns: taus.length }, context);
  };
  const chart = chart_view({
    name: `${study}-orders`,
    title: "Optimal order by stock",
    caption:
      "Units to order for every stock of units with one and two periods left. Costs are (order, " +
      "holding, shortage, wastage). Nothing is ordered in pale cells and outside the map.",
    rows: orders,
    controls: choice.controls,
    build,
  });
  const table = sortable_table({
    name: `${study}-regions`,
    caption: "Regions in which an order is placed",
    rows: regions,
    columns: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "order_at_empty", label: "Order at empty stock" },
      { key: "states_ordering", label: "Stocks with an order" },
      { key: "largest_stock_ordered_at", label: "Largest such stock" },
      { key: "mean_order", label: "Mean order", format: two },
      { key: "is_order_up_to", label: "(s,S) in total stock" },
    ],
  });
  return regions.length > 0 ? [chart, table] : [chart];
}

/**
 * The gap of learned policies by iteration.
 * @param {Object} study figure-gaps
 * @returns {HTMLElement[]}
 */
export function gaps_by_iteration({ study, tables }) {
  const { gaps = [], choices = [] } = tables;
  if (gaps.length === 0) return [];
  const choice = new PanelChoice(gaps, by_setting);
  const chart = chart_view({
    name: `${study}-gaps`,
    title: "True gap after each iteration",
    caption:
      "Mean over seeds, in percent of the exact optimum, on a logarithmic axis, with the range of " +
      `training as published; smaller gaps are drawn at ${SMALLEST_GAP} %. Iteration 0 is the ` +
      "myopic policy.",
    rows: gaps,
    controls: choice.controls,
    build: (context) =>
      gap_by_iteration(
        gaps.filter((row) => choice.shows(row)),
        choice.values("tau").length,
        context,
      ),
  });
  const three = (value) => fixed(value, 3);
  const table = sortable_table({
    name: `${study}-gaps`,
    caption: "Gaps by iteration, in percent",
    rows: gaps,
    filters: [
      ...by_setting,
      { key: "algorithm", label: "Algorithm" },
      { key: "training", label: "Training" },
      { key: "iteration", label: "Iteration" },
    ],
    columns: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "algorithm", label: "Algorithm" },
      { key: "training", label: "Training" },
      { key: "iteration", label: "Iteration" },
      { key: "gap_percent", label: "Gap %, mean", format: three },
      { key: "least_gap_percent", label: "Minimum", format: three },
      { key: "most_gap_percent", label: "Maximum", format: three },
      { key: "seeds", label: "Seeds" },
    ],
  });
  return choices.length > 0 ? [chart, table, open_choices(study, choices)] : [chart, table];
}

/**
 * Distributions of simulated costs.
 * @param {Object} study figure-costs
 * @returns {HTMLElement[]}
 */
export function cost_distributions({ study, tables }) {
  const { distribution = [], summary = [] } = tables;
  if (distribution.length === 0) return [];
  const rows = distribution.map((row) => ({ ...row, series: `τ ${row.tau}` }));
  const choice = new PanelChoice(rows, [
    by_setting[0],
    { key: "training", label: "Training", phone: "as published" },
  ]);
  const labels = distinct(rows, "tau").map((tau) => `τ ${tau}`);
  const chart = chart_view({
    name: `${study}-distribution`,
    title: "Probability that the cost stays below an amount",
    caption:
      "Share of simulated runs whose discounted cost is at most the amount on the axis, by " +
      "risk level; one panel per cost setting and training. The costliest 0.5 % of runs are not " +
      "shown.",
    rows: distribution,
    controls: choice.controls,
    build: (context) => {
      const costs = choice.values("cost");
      const panels = choice.values("training").flatMap((training) =>
        costs.map((cost) => ({
          title: { text: cost, subtitle: training },
          rows: rows.filter((row) => row.cost === cost && row.training === training),
        })),
      );
      const titles = { x_title: "discounted cost", y_title: "share of runs" };
      return cost_distribution({ panels, columns: costs.length, labels, ...titles }, context);
    },
  });
  const share = (value) => percent(value, 1);
  const table = sortable_table({
    name: `${study}-summary`,
    caption: "Summary of simulated costs",
    rows: summary,
    columns: [
      { key: "cost", label: "Cost" },
      { key: "tau", label: "τ" },
      { key: "training", label: "Training" },
      { key: "mean", label: "Mean", format: two },
      { key: "standard_error", label: "± s.e.", format: (value) => fixed(value, 3) },
      { key: "standard_deviation", label: "Std. dev.", format: two },
      { key: "q05", label: "5\u202f%", format: two },
      { key: "q50", label: "50\u202f%", format: two },
      { key: "q95", label: "95\u202f%", format: two },
      { key: "q99", label: "99\u202f%", format: two },
      { key: "cost_per_period", label: "Cost per period", format: two },
      { key: "service_level", label: "Demand met", format: share },
      { key: "wastage_rate", label: "Units wasted per period", format: two },
    ],
  });
  return summary.length > 0 ? [chart, table] : [chart];
}
