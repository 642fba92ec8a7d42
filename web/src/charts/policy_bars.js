import { panel_grid } from "../panels.js";

/**
 * Labelled bars: one panel per measure, one bar per rule.
 * @param {Object} data
 * @param {Object[]} data.policies with `name` and the keys of the measures
 * @param {{key: string, title: Object, format: string}[]} data.measures
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function policy_bars({ policies, measures }, context) {
  const { theme } = context;
  const names = policies.map((policy) => policy.name);
  const layout = { columns: measures.length };
  return panel_grid(measures, context, layout, ({ key, title, format }, { is_left }) => {
    const most = Math.max(...policies.map((policy) => policy[key] ?? 0), 1e-9);
    return {
      title,
      height: { step: 30 },
      data: { values: policies },
      encoding: {
        y: {
          field: "name",
          type: "nominal",
          scale: { domain: names, paddingInner: 0.3, paddingOuter: 0.15 },
          axis: {
            title: null,
            labels: is_left,
            ticks: false,
            labelLimit: context.phone ? 140 : 200,
          },
        },
        // Leave room for the number after the bar.
        x: {
          field: key,
          type: "quantitative",
          scale: { domain: [0, 1.3 * most], nice: false },
          axis: null,
        },
      },
      layer: [
        {
          mark: { type: "bar", cornerRadiusEnd: 2 },
          encoding: {
            color: {
              condition: [
                { test: "datum.policy === 'optimal'", value: theme.series[0] },
                { test: "datum.is_own", value: theme.series[1] },
              ],
              value: theme.name === "dark" ? "#6b7783" : "#a9b2ba",
            },
          },
        },
        {
          mark: { type: "text", align: "left", dx: 5 },
          encoding: { text: { field: key, type: "quantitative", format } },
        },
      ],
    };
  });
}
