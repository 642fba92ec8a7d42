import { chart_view } from "../chart_view.js";
import { level_lines } from "../charts/level_lines.js";
import { element } from "../dom.js";
import { count, fixed, percent } from "../format.js";
import { section } from "../page_data.js";
import { sortable_table } from "../sortable_table.js";
import { caution_sentence } from "./caution.js";
import { BAD_MONTH } from "./labels.js";

const MEASURES = [
  { key: "order_at_empty", title: "Order with nothing in stock", format: "d", is_whole: true },
  { key: "service_level", title: "Demand met", format: ".1~%" },
  { key: "wasted_fraction", title: "Share of deliveries wasted", format: ".1~%" },
  { key: "value_at_empty", title: "Risk-adjusted cost", format: ",~r" },
];

/**
 * The optimal plans for other attitudes to risk.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} null where there is nothing to compare
 */
export function attitudes(data) {
  const { levels } = data;
  if (levels.length < 2) return null;
  return section(
    "attitude",
    "How cautious to be",
    element("p", {}, `The same stock, planned with less or more caution. ${from_to(levels)}`),
    element("p", { class: "caution" }, caution_sentence(data)),
    chart_view({
      name: "levels",
      title: "Effect of the attitude to risk",
      caption: "Each dot is the optimal plan for one attitude; the diamond is the chosen one.",
      rows: levels,
      build: (context) =>
        level_lines({ levels, measures: MEASURES, x_title: "more cautious →" }, context),
    }),
    level_table(levels),
  );
}

/** How the results change from the lowest to the highest level. */
function from_to(levels) {
  const by_level = [...levels].sort((a, b) => a.level - b.level);
  const [first, last] = [by_level[0], by_level[by_level.length - 1]];
  const change = (key, write) => `from ${write(first[key])} to ${write(last[key])}`;
  const share = (value) => percent(value, 1);
  return (
    `From the lowest to the highest level, the order with nothing in stock changes ` +
    `${change("order_at_empty", count)} units, the demand met ${change("service_level", share)}, ` +
    `and the share of deliveries wasted ${change("wasted_fraction", share)}.`
  );
}

function level_table(levels) {
  const share = (value) => percent(value, 1);
  const chosen = (value) => (value ? "◆ this plan" : "");
  return sortable_table({
    name: "levels",
    caption: "Plans for different attitudes to risk",
    rows: levels,
    columns: [
      { key: "level", label: "Level" },
      { key: "is_chosen", label: "Chosen", format: chosen },
      { key: "order_at_empty", label: "Order with nothing in stock" },
      { key: "service_level", label: "Demand met", format: share },
      { key: "periods_short", label: "Days with a shortage", format: share },
      { key: "wasted_fraction", label: "Share of deliveries wasted", format: share },
      { key: "wastage_rate", label: "Units wasted per day", format: (value) => fixed(value, 2) },
      { key: "cost_per_period", label: "Average cost per day", format: (value) => fixed(value, 2) },
      { key: "month_bad", label: BAD_MONTH, format: (value) => fixed(value, 0) },
      {
        key: "value_at_empty",
        label: "Risk-adjusted cost",
        format: (value) => fixed(value, 2),
      },
    ],
  });
}
