/** How far from the recommended order the curve goes. */
const NEAR = 6;

/**
 * What orders cost above the recommended one, with the planner's own rules marked.
 * @param {Object} data
 * @param {{order: number, extra: ?number}[]} data.rows
 * @param {number} data.best the recommended order
 * @param {{order: number, name: string}[]} data.own
 * @param {string} [data.currency]
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function order_curve({ rows, best, own, currency = "" }, context) {
  const { theme, width } = context;
  const more = currency === "" ? "costs more" : `costs more, ${currency}`;
  // Orders far away may be much more expensive than all others, and would flatten the curve.
  const known = rows.filter((row) => row.extra !== null && Math.abs(row.order - best) <= NEAR);
  const orders = known.map((row) => row.order);
  const marked = known.flatMap((row) => {
    if (row.order === best) return [{ ...row, mark: "recommended" }];
    const rules = own.filter((rule) => rule.order === row.order);
    return rules.length > 0 ? [{ ...row, mark: "your rule" }] : [];
  });
  const x = {
    field: "order",
    type: "quantitative",
    scale: {
      domain: [Math.min(...orders, best), Math.max(...orders, best + 1)],
      nice: false,
      padding: 14,
    },
    axis: { title: "units to order", grid: false, tickMinStep: 1, format: "d" },
  };
  const y = {
    field: "extra",
    type: "quantitative",
    scale: { domainMin: 0, padding: 6 },
    axis: { title: more, tickCount: 4 },
  };
  const tooltip = [
    { field: "order", title: "order" },
    { field: "extra", type: "quantitative", title: more, format: ",.3~r" },
    { field: "chance_of_shortage", type: "quantitative", title: "runs short", format: ".1%" },
    {
      field: "expected_expired_in_all",
      type: "quantitative",
      title: "units that expire",
      format: ".2f",
    },
  ];
  const point = (size, extra) => ({ type: "point", filled: true, size, opacity: 1, ...extra });
  const mark_colour = {
    field: "mark",
    type: "nominal",
    scale: {
      domain: own.length > 0 ? ["recommended", "your rule"] : ["recommended"],
      range: [theme.series[0], theme.series[1]],
    },
    legend: { title: null, orient: "top", symbolType: "diamond" },
  };
  return {
    width: Math.min(width, 760),
    height: 170,
    is_narrow: true,
    layer: [
      {
        data: { values: known },
        mark: { type: "line", strokeWidth: 2, color: theme.series[0], opacity: 0.5 },
        encoding: { x, y },
      },
      {
        data: { values: known },
        mark: point(40, { color: theme.series[0] }),
        encoding: { x, y, tooltip },
      },
      {
        data: { values: marked },
        mark: point(190, { shape: "diamond" }),
        encoding: { x, y, color: mark_colour, tooltip },
      },
    ],
  };
}
