import { chart_view } from "../chart_view.js";
import { arrival_bars } from "../charts/arrival_bars.js";
import { unit_bars } from "../charts/unit_bars.js";
import { element } from "../dom.js";
import { count, fixed, percent, plain, plural } from "../format.js";
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
        `delivery. The shelf holds ${plural(model.capacity, "unit")}; the largest order is ` +
        `${count(model.max_order)}. Orders are delivered immediately, the oldest units are used ` +
        "first, and unmet demand is lost.",
    ),
    cost_tiles(model.cost),
    demand_chart(data),
    is_mixed
      ? chart_view({
          name: "arrival",
          title: "Remaining shelf life on delivery",
          caption: "Share of delivered units by days left, for each order size.",
          rows: arrival,
          build: (context) => arrival_bars(arrival, context),
        })
      : element("p", {}, model.shelf_life > 1 ? "All units arrive fresh." : ""),
  );
}

function cost_tiles({ order, holding, shortage, wastage }) {
  return tiles([
    { name: "Ordering cost", figure: plain(order, 4), remark: "per order, regardless of size" },
    { name: "Holding cost", figure: plain(holding, 4), remark: "per unit and night" },
    { name: "Shortage cost", figure: plain(shortage, 4), remark: "per unit of unmet demand" },
    { name: "Wastage cost", figure: plain(wastage, 4), remark: "per expired unit" },
  ]);
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
