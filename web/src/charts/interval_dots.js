import { panel_grid } from "../panels.js";
import { distinct } from "../sorting.js";
import { colour_channel, legend_columns, shape_channel } from "./series.js";

/**
 * Results of intervals by risk level: one panel per chain and kind of features, one mark per series.
 * @param {Object} data
 * @param {Object[]} data.dots with chain, features, d, tau, series, amount, shown and, where a line
 *   leads from the mark to another amount, `to`
 * @param {string[]} data.labels all series
 * @param {Object} data.y
 * @param {string} data.y.title
 * @param {[number, number]} data.y.domain
 * @param {[number, number]} data.y.drawn marks beyond this range are drawn at its ends
 * @param {"linear"|"log"} data.y.type
 * @param {number[]} data.y.ticks
 * @param {string} data.y.format
 * @param {number} data.goal a line
 * @param {?[number, number]} data.band around it
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function interval_dots({ dots, labels, y, goal, band }, context) {
  const { phone } = context;
  const chains = distinct_in_order(dots, "chain");
  const panels = distinct_in_order(dots, "features").flatMap((features) =>
    chains.map((chain) => ({ chain, features })),
  );
  const taus = distinct(dots, "tau");
  const layout = { columns: chains.length, spacing: 24 };
  return panel_grid(panels, context, layout, ({ chain, features }, place) => {
    const mine = dots
      .filter((dot) => dot.chain === chain && dot.features === features)
      .map((dot) => ({ ...dot, ...clamped(dot, y.drawn) }));
    return {
      title: { text: chain, subtitle: `${features}${mine[0] ? `, d = ${mine[0].d}` : ""}` },
      height: phone ? 150 : 190,
      layer: layers({ mine, labels, taus, y, goal, band, context, place }),
    };
  });
}

function layers({ mine, labels, taus, y, goal, band, context, place }) {
  const { theme, phone, width } = context;
  const legend = { columns: legend_columns(labels, width) };
  const x = {
    field: "tau",
    type: "nominal",
    scale: { domain: taus },
    axis: {
      title: place.is_bottom || phone ? "level τ" : null,
      labelAngle: 0,
      grid: false,
      ticks: false,
    },
  };
  const offset = { field: "series", type: "nominal", scale: { domain: labels } };
  const vertical = {
    type: "quantitative",
    scale: { type: y.type, domain: y.domain, nice: false, ...(is_log(y) ? {} : { zero: false }) },
    axis: {
      title: place.is_left || phone ? y.title : null,
      values: y.ticks,
      format: y.format,
      minExtent: 34,
    },
  };
  const colour = colour_channel("series", labels, theme.series, legend);
  return [
    ...(band ? [band_layer(band, vertical, theme)] : []),
    {
      data: { values: [{ goal }] },
      mark: { type: "rule", color: theme.muted, strokeDash: [4, 3] },
      encoding: { y: { field: "goal", ...vertical } },
    },
    {
      data: { values: mine.filter((dot) => typeof dot.to === "number") },
      mark: { type: "rule", strokeWidth: 1.5 },
      encoding: {
        x,
        xOffset: offset,
        y: { field: "amount", ...vertical },
        y2: { field: "to" },
        color: colour,
      },
    },
    {
      data: { values: mine },
      mark: { type: "point", size: 60, strokeWidth: 1.8, filled: false, opacity: 1 },
      encoding: {
        x,
        xOffset: offset,
        y: { field: "amount", ...vertical },
        color: colour,
        shape: shape_channel("series", labels, undefined, legend),
        tooltip: [
          { field: "chain" },
          { field: "features" },
          { field: "tau", title: "level τ" },
          { field: "series" },
          { field: "shown", title: y.title },
        ],
      },
    },
  ];
}

function band_layer([low, high], vertical, theme) {
  return {
    data: { values: [{ low, high }] },
    mark: { type: "rect", color: theme.muted, opacity: 0.16 },
    encoding: {
      y: { field: "low", ...vertical },
      y2: { field: "high" },
    },
  };
}

function is_log({ type }) {
  return type === "log";
}

function clamped({ amount, to }, [low, high]) {
  const within = (value) => Math.min(high, Math.max(low, value));
  return { amount: within(amount), ...(typeof to === "number" ? { to: within(to) } : {}) };
}

function distinct_in_order(rows, key) {
  return [...new Set(rows.map((row) => row[key]))];
}
