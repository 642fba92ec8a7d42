import { element } from "../dom.js";
import { count, fixed, listed, percent } from "../format.js";
import { section } from "../page_data.js";
import { tiles } from "../tiles.js";
import { caution_sentence } from "./caution.js";
import { attitude, BAD_CASE, BAD_MONTH, weekday } from "./labels.js";
import { money_of, placeholder_note } from "./placeholders.js";

/**
 * The recommendation in one sentence, and its key figures.
 * @param {Object} data the whole plan
 * @returns {HTMLElement}
 */
export function recommendation(data) {
  const { model, recommendation: best, conclusions } = data;
  return section(
    "recommendation",
    "The plan at a glance",
    placeholder_note(data),
    element("p", { class: "answer" }, order_sentence(best.order_at_empty, model.max_order)),
    best.order_at_empty.length > 1 ? week(best.order_at_empty) : null,
    element(
      "p",
      {},
      `${stop_sentence(conclusions, model)} ` +
        `The plan is ${attitude(conclusions.attitude, model.loss)}. ${caution_sentence(data)}`,
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

/** Days on which no orders are placed say nothing about the orders of the others. */
function order_sentence(orders, max_order) {
  const is_open = (day) => !Array.isArray(max_order) || max_order[day] > 0;
  const open = orders.filter((_, day) => is_open(day));
  const days = (order) =>
    listed(orders.flatMap((one, day) => (one === order && is_open(day) ? [weekday(day)] : [])));
  const closed = orders.flatMap((_, day) => (is_open(day) ? [] : [weekday(day)]));
  const none = closed.length > 0 ? `, and nothing on ${listed(closed)}` : "";
  const least = Math.min(...open);
  const most = Math.max(...open);
  if (open.length === 0 || least === most) {
    const order = open.length === 0 ? 0 : least;
    return ["With nothing in stock: order ", element("strong", {}, count(order)), `${none}.`];
  }
  return [
    "With nothing in stock: order ",
    element("strong", {}, count(least)),
    ` (${days(least)}) to `,
    element("strong", {}, count(most)),
    ` (${days(most)})${none}.`,
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

function key_figures(data) {
  const { policies, simulation } = data;
  const plan = policies.find(({ policy }) => policy === "optimal");
  if (!plan) return null;
  const money = money_of(data);
  const bad =
    plan.month_bad === null
      ? {
          name: BAD_CASE,
          figure: money(plan.cost_q95),
          remark: `total cost from today, later days discounted; the median is ${money(plan.cost_q50)}`,
        }
      : {
          name: BAD_MONTH,
          figure: money(plan.month_bad),
          remark: `cost of 30 days; half of all months cost less than ${money(plan.month_median)}`,
        };
  return tiles([
    {
      name: "Demand met",
      figure: percent(plan.service_level, 1),
      remark: `${percent(plan.periods_short, 1)} of days have a shortage`,
    },
    {
      name: "Units wasted",
      figure: `${fixed(7 * plan.wastage_rate, 1)} per week`,
      remark: `${percent(plan.wasted_fraction, 1)} of the units delivered`,
    },
    {
      name: "Average cost per week",
      figure: money(7 * plan.cost_per_period),
      remark: `in simulated runs of ${count(simulation.periods)} days`,
    },
    bad,
  ]);
}
