/** The colours of charts in the light and dark schemes. */

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif';

/**
 * @typedef {Object} Theme
 * @property {"light"|"dark"} name
 * @property {string} surface behind charts
 * @property {string} ink text and strong lines
 * @property {string} muted axis labels
 * @property {string} grid
 * @property {string[]} series colours of categories; combine with DASHES or SHAPES, so that
 *   colour is not needed
 * @property {[string, string]} ramp low to high, monotone in lightness
 * @property {string} empty a cell with value 0
 */

/** @type {Theme} */
const LIGHT = {
  name: "light",
  surface: "#ffffff",
  ink: "#1d2329",
  muted: "#525c66",
  grid: "#e4e2dc",
  series: ["#0067a3", "#c04a00", "#00795a", "#9a3f80", "#7a5c00", "#1d2329"],
  ramp: ["#dcebf5", "#0b3c66"],
  empty: "#f6f5f1",
};

/** @type {Theme} */
const DARK = {
  name: "dark",
  surface: "#1b2026",
  ink: "#e8eaec",
  muted: "#aab3bc",
  grid: "#333b44",
  series: ["#56b4e9", "#f08a4b", "#35c39a", "#e08fc6", "#e3c53f", "#e8eaec"],
  ramp: ["#26394a", "#a5d8ff"],
  empty: "#20262d",
};

/** Dash patterns of `series`, so that lines can be told apart without colour. */
export const DASHES = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [4, 2], []];

/** Marker shapes of `series`. */
export const SHAPES = ["circle", "diamond", "triangle-up", "square", "cross", "triangle-down"];

const dark_query = () => window.matchMedia("(prefers-color-scheme: dark)");
const print_query = () => window.matchMedia("print");

/** @returns {boolean} whether the page is being printed */
export function is_print() {
  return print_query().matches;
}

/**
 * @param {"light"|"dark"} [scheme] default: the browser's; print is always light
 * @returns {Theme}
 */
export function theme_for(scheme) {
  if (scheme) return scheme === "dark" ? DARK : LIGHT;
  return dark_query().matches && !is_print() ? DARK : LIGHT;
}

/**
 * Calls `changed` when the colour scheme changes, and before and after printing.
 * @param {() => void} changed
 */
export function on_theme_change(changed) {
  dark_query().addEventListener("change", changed);
  print_query().addEventListener("change", changed);
}

/**
 * @param {Theme} theme
 * @returns {Object} a Vega-Lite configuration
 */
export function chart_config(theme) {
  const text = {
    labelColor: theme.muted,
    titleColor: theme.ink,
    labelFontSize: 12,
    titleFontSize: 12,
  };
  return {
    font: FONT,
    aria: false,
    background: theme.surface,
    padding: 2,
    view: { stroke: null },
    axis: {
      ...text,
      titleFontWeight: "normal",
      gridColor: theme.grid,
      domain: false,
      tickColor: theme.grid,
      tickSize: 4,
      labelPadding: 4,
      labelSeparation: 6,
      labelLimit: 260,
    },
    // A label above the plotting area would push up the title of this panel only.
    axisYQuantitative: { labelFlush: true },
    legend: {
      ...text,
      labelColor: theme.ink,
      titleFontWeight: "normal",
      orient: "top",
      direction: "horizontal",
      labelLimit: 320,
      symbolStrokeWidth: 2,
      offset: 12,
      columnPadding: 16,
    },
    title: {
      color: theme.ink,
      subtitleColor: theme.muted,
      fontSize: 13,
      fontWeight: 600,
      subtitleFontSize: 12,
      anchor: "start",
      frame: "group",
      offset: 6,
    },
    text: { fontSize: 12, color: theme.ink },
    concat: { spacing: 16 },
  };
}
