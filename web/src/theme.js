/** The colours of charts, light and dark, and when to change between them. */

const FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans", sans-serif';

/**
 * @typedef {Object} Theme
 * @property {"light"|"dark"} name
 * @property {string} surface behind charts
 * @property {string} ink text and strong lines
 * @property {string} muted axis labels
 * @property {string} grid
 * @property {string[]} series of categories; distinct in hue and, with `dashes`, without it
 * @property {[string, string]} ramp little to much, monotone in lightness
 * @property {string} empty a cell with nothing in it
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

/** Dash patterns that go with `series`, so that lines differ without colour too. */
export const DASHES = [[], [7, 3], [2, 2.5], [9, 3, 2, 3], [4, 2], []];

/** Shapes that go with `series`. */
export const SHAPES = ["circle", "diamond", "triangle-up", "square", "cross", "triangle-down"];

const dark_query = () => window.matchMedia("(prefers-color-scheme: dark)");
const print_query = () => window.matchMedia("print");

/** @returns {boolean} whether the page is being printed */
export function is_print() {
  return print_query().matches;
}

/**
 * @param {"light"|"dark"} [scheme] without it, the reader's; paper is always light
 * @returns {Theme}
 */
export function theme_for(scheme) {
  if (scheme) return scheme === "dark" ? DARK : LIGHT;
  return dark_query().matches && !is_print() ? DARK : LIGHT;
}

/**
 * Calls `changed` when the reader's scheme changes, and before and after printing.
 * @param {() => void} changed
 */
export function on_theme_change(changed) {
  dark_query().addEventListener("change", changed);
  print_query().addEventListener("change", changed);
}

/**
 * @param {Theme} theme
 * @returns {Object} the Vega-Lite configuration of a theme
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
    // A label at the very top would push up the title of its panel alone.
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
