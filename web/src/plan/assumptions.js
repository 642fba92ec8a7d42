import { chart_view } from "../chart_view.js";
import { arrival_bars } from "../charts/arrival_bars.js";
import { unit_bars } from "../charts/demand_bars.js";
import { element } from "../dom.js";
import { count, fixed, listed, percent, plain, plural } from "../format.js";
import { section } from "../page_data.js";
import { PanelChoice } from "../panels.js";
import { tiles } from "../tiles.js";
import { weekday } from "./labels.js";

/**
 * The assumptions of the plan: costs, demand, deliveries.
 * @param {Object} data the whole plan
 * @returns {HTMLElement}
 */
export function assumptions(data) {
  const { model, arrival } = data;
  const is_mixed = !model.fresh && model.shelf_life > 1 && arrival.length > 0;
  return section(
    "assumptions",
    "Assumptions",
    element(
      "p",
      {},
      `Fresh units can be used for ${plural(model.shelf_life, "day")}, including the day of ` +
        `delivery. The shelf holds ${plural(model.capacity, "unit")}; ` +
        `${largest_order(model.max_order)}. Orders are delivered immediately, the oldest units ` +
        "are used first, and unmet demand is lost.",
    ),
    cost_tiles(model.cost),
    demand_chart(data),
    is_mixed
      ? arrival_chart(arrival)
      : element("p", {}, model.shelf_life > 1 ? "All units arrive fresh." : ""),
  );
}

/**
 * Exported for the tests.
 * @param {number|number[]} most for every day, or from Monday to Sunday
 * @returns {string} a clause
 */
export function largest_order(most) {
  if (!Array.isArray(most)) return `the largest order is ${count(most)}`;
  const open = most.filter((units) => units > 0);
  const closed = most.flatMap((units, day) => (units === 0 ? [weekday(day)] : []));
  const range = span_of(open, count);
  const largest = `the largest order is ${range}${range === count(open[0]) ? "" : ", by weekday"}`;
  return closed.length === 0 ? largest : `${largest}, and none can be placed on ${listed(closed)}`;
}

/** "5", or "5 to 8". */
function span_of(numbers, text) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? text(least) : `${text(least)} to ${text(most)}`;
}

function cost_tiles({ order, unit, holding, shortage, wastage }) {
  const tile = (name, cost, remark) => ({
    name,
    figure: span_of([cost].flat(), (number) => plain(number, 4)),
    remark: Array.isArray(cost) ? `${remark}, by weekday` : remark,
  });
  return tiles([
    tile("Ordering cost", order, "per order, regardless of size"),
    ...([unit].flat().some((number) => number > 0)
      ? [tile("Price", unit, "per unit ordered")]
      : []),
    tile("Holding cost", holding, "per unit and night"),
    tile("Shortage cost", shortage, "per unit of unmet demand"),
    tile("Wastage cost", wastage, "per expired unit"),
  ]);
}

/** Deliveries may differ by weekday, and depend on the order unless they are plain shares. */
function arrival_chart(arrival) {
  const by_day = arrival[0].day !== undefined;
  const by_order = arrival[0].order !== undefined;
  const rows = by_day ? arrival.map((row) => ({ ...row, weekday: weekday(row.day) })) : arrival;
  const has_panels = by_day && by_order;
  const choice = has_panels
    ? new PanelChoice(rows, [{ key: "weekday", label: "Day", phone: weekday(0) }])
    : null;
  const each = by_order ? "for each order size" : by_day ? "for each day" : "in every order";
  return chart_view({
    name: "arrival",
    title: "Remaining shelf life on delivery",
    caption: `Share of delivered units by days left, ${each}.`,
    rows: arrival,
    ...(choice ? { controls: choice.controls } : {}),
    build: (context) =>
      arrival_bars(choice ? rows.filter((row) => choice.shows(row)) : rows, context),
  });
}

function demand_chart({ demand, model }) {
  const choice = new PanelChoice(demand, [{ key: "day", label: "Day", phone: 0, text: weekday }]);
  const mean = demand.reduce((sum, row) => sum + row.units * row.probability, 0) / model.days;
  const top = Math.max(...demand.map((row) => row.units));
  const at_top = demand
    .filter((row) => row.units === top)
    .reduce((sum, row) => sum + row.probability, 0);
  const share = at_top / model.days;
  const tail = share >= 0.0005 ? ` ${count(top)} or more: ${percent(share, 1)}.` : "";
  return chart_view({
    name: "demand",
    title: "Daily demand",
    caption: `Probability of each demand, in units; ${fixed(mean, 1)} on average.${tail}`,
    rows: demand,
    controls: choice.controls,
    build: (context) => {
      const panels = choice.values("day").map((day) => ({
        title: model.days > 1 ? weekday(day) : null,
        rows: demand.filter((row) => row.day === day),
      }));
      return unit_bars(panels, context);
    },
  });
}
