import { day_layout, panel_grid } from "../panels.js";

/**
 * The smallest and largest order over all stocks with the same total: one panel per title.
 * @param {{title: ?string, rows: {total: number, least: number, most: number}[]}[]} panels
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function order_range(panels, context) {
  const highest = Math.max(1, ...panels.flatMap(({ rows }) => rows.map((row) => row.most)));
  const { theme } = context;
  const layout = day_layout(panels.length, context);
  return panel_grid(panels, context, layout, ({ title, rows }, place) => {
    const x = {
      field: "total",
      type: "quantitative",
      scale: { nice: false, padding: 8 },
      axis: {
        title: place.is_bottom ? "total units in stock" : null,
        grid: false,
        tickMinStep: 1,
      },
    };
    const y = (field) => ({
      field,
      type: "quantitative",
      scale: { domain: [0, highest], nice: false, padding: 4 },
      axis: { title: place.is_left ? "units to order" : null, tickCount: 5, tickMinStep: 1 },
    });
    const tooltip = [
      { field: "total", title: "in stock" },
      { field: "least", title: "smallest order" },
      { field: "most", title: "largest order" },
    ];
    const dot = { type: "point", filled: true, size: 48, opacity: 1, color: theme.series[0] };
    return {
      ...(title ? { title } : {}),
      height: panels.length === 1 ? 260 : 150,
      data: { values: rows },
      layer: [
        {
          mark: { type: "rule", strokeWidth: 4, opacity: 0.4, color: theme.series[0] },
          encoding: { x, y: y("least"), y2: { field: "most" }, tooltip },
        },
        { mark: dot, encoding: { x, y: y("least"), tooltip } },
        { mark: dot, encoding: { x, y: y("most"), tooltip } },
      ],
    };
  });
}
