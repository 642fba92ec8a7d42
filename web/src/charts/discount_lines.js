import { panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import {
  colour_channel,
  decades,
  legend_columns,
  shape_channel,
  thinned,
  WIDE_LABELS,
} from "./series.js";

/** In narrower charts, in pixels, labels of discount factors would overlap in four columns. */
const FOUR_COLUMNS = 760;

/**
 * Results by discount factor: one panel per kind of features, one line per series.
 * @param {Object} data
 * @param {Object[]} data.rows with features, gamma, series, amount and shown
 * @param {string[]} data.labels all series
 * @param {Object} data.y
 * @param {string} data.y.title
 * @param {[number, number]} data.y.domain
 * @param {"linear"|"log"} data.y.type
 * @param {string} [data.y.format]
 * @param {?{amount: number, text: string}} data.goal a line with its meaning
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function discount_lines({ rows, labels, y, goal }, context) {
  const kinds = [...new Set(rows.map((row) => row.features))];
  const most = kinds.length === 4 && context.full_width < FOUR_COLUMNS ? 2 : 4;
  const layout = { columns: Math.min(kinds.length, most), spacing: 24 };
  const gammas = distinct(rows, "gamma");
  return panel_grid(kinds, context, layout, (features, place) => ({
    title: features,
    height: context.phone ? 160 : 210,
    layer: layers({
      mine: rows.filter((row) => row.features === features),
      labels,
      gammas,
      y,
      goal,
      context,
      place,
    }),
  }));
}

function layers({ mine, labels, gammas, y, goal, context, place }) {
  const { theme, phone, width } = context;
  const legend = { columns: legend_columns(labels, width), symbolSize: 80 };
  const vertical = {
    type: "quantitative",
    scale: { type: y.type, domain: y.domain, nice: false },
    axis: {
      title: place.is_left || phone ? y.title : null,
      ...ticks(y),
      minExtent: 40,
      ...(y.format ? { format: y.format } : { labelExpr: WIDE_LABELS }),
    },
  };
  const x = {
    field: "gamma",
    type: "nominal",
    scale: { domain: gammas },
    axis: {
      title: place.is_bottom || phone ? "discount γ" : null,
      labelAngle: 0,
      grid: false,
      ticks: false,
    },
  };
  const series = {
    x,
    y: { field: "amount", ...vertical },
    color: colour_channel("series", labels, theme.series, legend),
  };
  return [
    ...(goal ? goal_layers(goal, vertical, theme) : []),
    {
      data: { values: mine },
      mark: { type: "line", strokeWidth: 1.8, clip: true },
      encoding: series,
    },
    {
      data: { values: mine },
      mark: { type: "point", size: 46, strokeWidth: 1.6, filled: false, opacity: 1 },
      encoding: {
        ...series,
        shape: shape_channel("series", labels, undefined, legend),
        tooltip: [
          { field: "features" },
          { field: "gamma", title: "discount γ" },
          { field: "series" },
          { field: "shown", title: y.title },
        ],
      },
    },
  ];
}

/** Powers of ten on a logarithmic axis. */
function ticks({ type, domain }) {
  if (type !== "log") return { tickCount: 5 };
  const within = decades(...domain).filter((ten) => ten >= domain[0] && ten <= domain[1]);
  return { values: thinned(within, 6) };
}

function goal_layers({ amount, text }, vertical, theme) {
  const values = [{ amount, text }];
  const encoding = { y: { field: "amount", ...vertical } };
  return [
    { data: { values }, mark: { type: "rule", color: theme.muted, strokeDash: [4, 3] }, encoding },
    {
      data: { values },
      mark: { type: "text", align: "left", x: 4, dy: -12, color: theme.muted, fontSize: 12 },
      encoding: { ...encoding, text: { field: "text" } },
    },
  ];
}
