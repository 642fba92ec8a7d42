import { chart_view } from "../chart_view.js";
import { arrival_bars } from "../charts/arrival_bars.js";
import { unit_bars } from "../charts/unit_bars.js";
import { element } from "../dom.js";
import { count, fixed, percent, plain, plural } from "../format.js";
import { section } from "../page_data.js";
import { PanelChoice } from "../panels.js";
import { tiles } from "../tiles.js";
import { weekday } from "./words.js";

/**
 * What the plan rests on: costs, demand, deliveries.
 * @param {Object} data the whole plan
 * @returns {HTMLElement}
 */
export function assumptions(data) {
  const { model, arrival } = data;
  const is_mixed = !model.fresh && model.shelf_life > 1 && arrival.length > 0;
  return section(
    "assumptions",
    "What was assumed",
    element(
      "p",
      {},
      `Units can be used for ${plural(model.shelf_life, "day")}, the day of arrival included. The ` +
        `shelf holds ${plural(model.capacity, "unit")}; no order is larger than ` +
        `${count(model.max_order)}. Orders arrive at once, the oldest units are used first, and ` +
        "what cannot be supplied is lost.",
    ),
    cost_tiles(model.cost),
    demand_chart(data),
    is_mixed
      ? chart_view({
          name: "arrival",
          title: "How long units can be used when they arrive",
          caption:
            "Share of the delivered units by the days they have left, by the size of the order.",
          rows: arrival,
          build: (around) => arrival_bars(arrival, around),
        })
      : element("p", {}, model.shelf_life > 1 ? "All units arrive fresh." : ""),
  );
}

function cost_tiles({ order, holding, shortage, wastage }) {
  return tiles([
    { name: "Placing an order", figure: plain(order, 4), remark: "whatever its size" },
    { name: "Keeping a unit", figure: plain(holding, 4), remark: "overnight" },
    { name: "Not supplying a unit", figure: plain(shortage, 4), remark: "that was asked for" },
    { name: "Throwing a unit away", figure: plain(wastage, 4), remark: "that has expired" },
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
    title: "Units asked for in a day",
    caption: `How likely each number of units is; ${fixed(mean, 1)} on average.${tail}`,
    rows: demand,
    controls: choice.controls,
    build: (around) => {
      const panels = choice.values("day").map((day) => ({
        title: model.days > 1 ? weekday(day) : null,
        rows: demand.filter((row) => row.day === day),
      }));
      return unit_bars(panels, around);
    },
  });
}
