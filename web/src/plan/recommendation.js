import { element } from "../dom.js";
import { count, fixed, listed, percent } from "../format.js";
import { section } from "../page_data.js";
import { tiles } from "../tiles.js";
import { attitude, BAD_CASE, weekday } from "./labels.js";

/**
 * The recommendation in one sentence, and its key figures.
 * @param {Object} data the whole plan
 * @returns {HTMLElement}
 */
export function recommendation(data) {
  const { model, recommendation: best, conclusions } = data;
  return section(
    "recommendation",
    "The recommendation",
    element("p", { class: "answer" }, order_sentence(best.order_at_empty)),
    best.order_at_empty.length > 1 ? week(best.order_at_empty) : null,
    element(
      "p",
      {},
      `${stop_sentence(conclusions, model)} ` +
        `The plan is ${attitude(conclusions.attitude, model.loss)}.`,
    ),
    best.status === "converged"
      ? null
      : element(
          "p",
          { class: "note", role: "note" },
          element("strong", {}, "Not converged. "),
          "The computation stopped early; these orders may not be optimal.",
        ),
    key_figures(data),
  );
}

function order_sentence(orders) {
  const [first] = orders;
  if (orders.every((order) => order === first)) {
    return ["With nothing in stock: order ", element("strong", {}, count(first)), "."];
  }
  const least = Math.min(...orders);
  const most = Math.max(...orders);
  const days = (order) =>
    listed(orders.flatMap((one, day) => (one === order ? [weekday(day)] : [])));
  return [
    "With nothing in stock: order ",
    element("strong", {}, count(least)),
    ` (${days(least)}) to `,
    element("strong", {}, count(most)),
    ` (${days(most)}).`,
  ];
}

function week(orders) {
  const cells = orders.map((order, day) =>
    element("div", {}, element("dt", {}, weekday(day)), element("dd", {}, count(order))),
  );
  return element(
    "dl",
    { class: "week", "aria-label": "Order with nothing in stock, by weekday" },
    cells,
  );
}

function stop_sentence({ nothing_from, falls_with_stock }, model) {
  if (model.shelf_life === 1) return "Nothing can be kept from one day to the next.";
  if (nothing_from === 0) return "The best plan is never to order.";
  const ages = model.shelf_life > 2 ? " The ages of the units matter too." : "";
  if (nothing_from === null) return `The order depends on the stock.${ages}`;
  const less = falls_with_stock ? "The larger the stock, the smaller the order. " : "";
  return `${less}Order nothing with ${count(nothing_from)} units or more in stock.${ages}`;
}

function key_figures({ policies, simulation }) {
  const plan = policies.find(({ policy }) => policy === "optimal");
  if (!plan) return null;
  return tiles([
    {
      name: "Demand met",
      figure: percent(plan.service_level, 1),
      remark: `${percent(plan.periods_short, 1)} of days have a shortage`,
    },
    {
      name: "Units wasted",
      figure: `${fixed(plan.wastage_rate, 2)} per day`,
      remark: `${percent(plan.wasted_fraction, 1)} of the units delivered`,
    },
    {
      name: "Average cost per day",
      figure: fixed(plan.cost_per_period, 1),
      remark: `in simulated runs of ${count(simulation.periods)} days`,
    },
    {
      name: BAD_CASE,
      figure: fixed(plan.cost_q95, 0),
      remark: `total cost from today, later days discounted; the median is ${fixed(plan.cost_q50, 0)}`,
    },
  ]);
}
