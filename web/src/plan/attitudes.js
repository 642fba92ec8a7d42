import { chart_view } from "../chart_view.js";
import { level_lines } from "../charts/level_lines.js";
import { element } from "../dom.js";
import { count, fixed, percent } from "../format.js";
import { section } from "../page_data.js";
import { sortable_table } from "../sortable_table.js";

const MEASURES = [
  { key: "order_at_empty", title: "Order with nothing in stock", format: "d", is_whole: true },
  { key: "service_level", title: "Demand supplied", format: ".1~%" },
  { key: "wasted_fraction", title: "Thrown away, of arrivals", format: ".1~%" },
  { key: "value_at_empty", title: "Cost as the attitude weighs it", format: ",~r" },
];

/**
 * What other attitudes to risk would lead to.
 * @param {Object} data the whole plan
 * @returns {?HTMLElement} null where there is nothing to compare
 */
export function attitudes({ levels }) {
  if (levels.length < 2) return null;
  const x_title = `${more_cautious(levels[0].parameter)} →`;
  return section(
    "attitude",
    "How cautious to be",
    element(
      "p",
      {},
      `The same stock, planned more hopefully or more cautiously. ${from_to(levels)}`,
    ),
    chart_view({
      name: "levels",
      title: "What changes with the attitude to risk",
      caption: "Each dot is the best plan for one attitude; the diamond is the chosen one.",
      rows: levels,
      build: (around) => level_lines({ levels, measures: MEASURES, x_title }, around),
    }),
    level_table(levels),
  );
}

/** What lies between the two ends. */
function from_to(levels) {
  const by_level = [...levels].sort((a, b) => a.level - b.level);
  const [first, last] = [by_level[0], by_level[by_level.length - 1]];
  const change = (key, write) => `from ${write(first[key])} to ${write(last[key])}`;
  const share = (value) => percent(value, 1);
  return (
    `From one end to the other, the order with nothing in stock goes ` +
    `${change("order_at_empty", count)}, the demand supplied ${change("service_level", share)}, and ` +
    `what is thrown away ${change("wasted_fraction", share)} of the units that arrive.`
  );
}

/** Only for these is it known that larger means more cautious. */
function more_cautious(parameter) {
  return ["tau", "mu", "beta"].includes(parameter) ? "more cautious" : `larger ${parameter}`;
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
      { key: "order_at_empty", label: "Order at empty shelf" },
      { key: "service_level", label: "Demand supplied", format: share },
      { key: "periods_short", label: "Days running short", format: share },
      { key: "wasted_fraction", label: "Thrown away", format: share },
      { key: "wastage_rate", label: "Units thrown away a day", format: (value) => fixed(value, 2) },
      { key: "cost_mean", label: "Average cost from today on", format: (value) => fixed(value, 1) },
      { key: "cost_q95", label: "1-in-20 bad case", format: (value) => fixed(value, 1) },
      {
        key: "value_at_empty",
        label: "Cost as the attitude weighs it",
        format: (value) => fixed(value, 2),
      },
    ],
  });
}
