import { DASHES, SHAPES } from "../theme.js";

/**
 * One row per series: {..row, series: label, amount: value}; missing values are skipped.
 * @param {Object[]} rows
 * @param {{key: string, label: string}[]} series
 * @returns {Object[]}
 */
export function unpivot(rows, series) {
  return rows.flatMap((row) =>
    series
      .filter(({ key }) => typeof row[key] === "number")
      .map(({ key, label }) => ({ ...row, series: label, amount: row[key] })),
  );
}

/**
 * The colour channel of series, without a legend title.
 * @param {string} field
 * @param {string[]} labels
 * @param {string[]} colours
 * @param {Object} [legend] more legend properties
 * @returns {Object} a Vega-Lite colour channel
 */
export function colour_channel(field, labels, colours, legend = {}) {
  const range = labels.map((_, i) => colours[i % colours.length]);
  const scale = { domain: labels, range };
  return { field, type: "nominal", scale, legend: { title: null, ...legend } };
}

/**
 * @param {string} field
 * @param {string[]} labels
 * @param {Object} [legend]
 * @returns {Object} a Vega-Lite strokeDash channel; its legend merges with the colour legend
 */
export function dash_channel(field, labels, legend = {}) {
  const range = labels.map((_, i) => DASHES[i % DASHES.length]);
  const scale = { domain: labels, range };
  return { field, type: "nominal", scale, legend: { title: null, ...legend } };
}

/**
 * @param {string} field
 * @param {string[]} labels
 * @param {string[]} [shapes]
 * @param {Object} [legend]
 * @returns {Object} a Vega-Lite shape channel
 */
export function shape_channel(field, labels, shapes = SHAPES, legend = {}) {
  const scale = { domain: labels, range: labels.map((_, i) => shapes[i % shapes.length]) };
  return { field, type: "nominal", scale, legend: { title: null, ...legend } };
}

/**
 * How many legend entries fit side by side.
 * @param {string[]} labels
 * @param {number} width
 * @returns {number} at least 1
 */
export function legend_columns(labels, width) {
  // About 7 pixels per character of 12-pixel type, plus the symbol and spacing.
  const entries = labels.map((label) => 7 * label.length + 44);
  const all = entries.reduce((sum, entry) => sum + entry, 0);
  if (all <= width) return labels.length;
  return Math.max(1, Math.min(labels.length - 1, Math.floor(width / Math.max(...entries))));
}

/**
 * Powers of ten from at most `low` to at least `high`.
 * @param {number} low above 0
 * @param {number} high
 * @returns {number[]} at least two
 */
export function decades(low, high) {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, i) => Number(`1e${from + i}`));
}

/**
 * Every n-th tick, so that at most `most` remain; keeps the first.
 * @param {number[]} ticks
 * @param {number} most
 * @returns {number[]}
 */
export function thinned(ticks, most) {
  const step = Math.ceil(ticks.length / most);
  return ticks.filter((_, i) => i % step === 0);
}

/** A Vega expression for axis labels that may span many decades: 0.01, 1, 100, 10k, 1e+20. */
export const WIDE_LABELS =
  "datum.value === 0 ? '0' : abs(datum.value) < 0.001 || abs(datum.value) >= 1e15 ? " +
  "format(datum.value, '~e') : abs(datum.value) >= 10000 ? format(datum.value, '~s') : " +
  "format(datum.value, '~r')";

/**
 * A chart that shows only a message.
 * @param {string} text
 * @param {number} width
 * @returns {Object} a Vega-Lite specification
 */
export function empty_chart(text, width) {
  return {
    width,
    height: 60,
    data: { values: [{ text }] },
    mark: { type: "text" },
    encoding: { text: { field: "text", type: "nominal" } },
  };
}
