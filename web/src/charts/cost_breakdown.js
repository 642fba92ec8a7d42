import { ink_on, rgb_of } from "../colour.js";
import { colour_channel, legend_columns } from "./series.js";

/**
 * The components of the cost per day: one stacked bar per rule, in legend order.
 * @param {Object} data
 * @param {Object[]} data.policies with `name` and the keys of the components
 * @param {{key: string, label: string}[]} data.components
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function cost_breakdown({ policies, components }, context) {
  const { theme, width } = context;
  const [blue, red, green, purple, yellow] = theme.series;
  const colours = [blue, yellow, red, green, purple];
  const totals = policies.map((policy) => ({
    name: policy.name,
    total: sum(components.map(({ key }) => policy[key] ?? 0)),
  }));
  // Leave room for the total after the bar.
  const largest = 1.12 * Math.max(...totals.map(({ total }) => total), 1e-9);
  const rows = policies.flatMap((policy) => {
    let from = 0;
    return components.map(({ key, label }, i) => {
      const amount = policy[key] ?? 0;
      const start = from;
      from += amount;
      return {
        name: policy.name,
        component: label,
        amount,
        start,
        end: from,
        middle: start + amount / 2,
        ink: ink_on(rgb_of(colours[i])),
        has_room: (amount / largest) * width > 30,
      };
    });
  });
  const labels = components.map(({ label }) => label);
  const y = {
    field: "name",
    type: "nominal",
    scale: { domain: policies.map((policy) => policy.name), paddingInner: 0.3 },
    axis: { title: null, ticks: false, labelLimit: context.phone ? 140 : 200 },
  };
  const axis = { title: "average cost per day", tickCount: 6 };
  return {
    width,
    height: { step: 36 },
    data: { values: rows },
    layer: [
      {
        mark: { type: "bar", stroke: theme.surface, strokeWidth: 1.5 },
        encoding: {
          y,
          x: {
            field: "start",
            type: "quantitative",
            axis,
            scale: { domain: [0, largest], nice: false },
          },
          x2: { field: "end" },
          fill: colour_channel("component", labels, colours, {
            columns: legend_columns(labels, width),
            symbolType: "square",
          }),
          tooltip: [
            { field: "name", title: "rule" },
            { field: "component", title: "component" },
            { field: "amount", type: "quantitative", title: "cost per day", format: ".2f" },
          ],
        },
      },
      {
        transform: [{ filter: "datum.has_room" }],
        mark: { type: "text" },
        encoding: {
          y,
          x: { field: "middle", type: "quantitative" },
          text: { field: "amount", type: "quantitative", format: ".1f" },
          color: { field: "ink", type: "nominal", scale: null },
        },
      },
      {
        data: { values: totals },
        mark: { type: "text", align: "left", dx: 5, fontWeight: 600 },
        encoding: {
          y,
          x: { field: "total", type: "quantitative" },
          text: { field: "total", type: "quantitative", format: ",.1f" },
        },
      },
    ],
  };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
