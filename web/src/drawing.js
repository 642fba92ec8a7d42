import { compile } from "vega-lite";
import { chart_config } from "./theme.js";

/** Charts narrower than this, in pixels, use the phone layout. */
export const PHONE = 560;

/** The width of a printed chart, in pixels. */
export const PRINT_WIDTH = 680;

/** Width of axes and margins before anything is drawn, in pixels. */
export const USUAL_AXES = 70;

/** How many times a chart is drawn at most to fit its width. */
const MAX_ATTEMPTS = 4;

/**
 * @typedef {Object} ChartContext what a chart is drawn for
 * @property {number} width of the plotting area, without axes
 * @property {number} full_width of the container; use it to choose the number of columns
 * @property {boolean} phone
 * @property {boolean} print
 * @property {import("./theme.js").Theme} theme
 */

/**
 * @param {(context: ChartContext) => Object} build returns the Vega-Lite specification
 * @param {Object} medium
 * @param {number} medium.width of the whole chart
 * @param {number} medium.axes of that for axes and margins
 * @param {boolean} medium.print
 * @param {import("./theme.js").Theme} medium.theme
 * @returns {{compiled: Object, is_narrow: boolean}} for Vega; whether it may be narrower than asked
 */
export function compiled_chart(build, { width, axes, print, theme }) {
  const { is_narrow, ...spec } = build({
    width: Math.max(120, width - axes),
    full_width: width,
    phone: width < PHONE,
    print,
    theme,
  });
  const { spec: compiled } = compile(spec, { config: chart_config(theme) });
  return { compiled, is_narrow: Boolean(is_narrow) };
}

/**
 * Draws until the result fits: the width of the axes is known only after layout.
 * @param {number} axes a first guess of their width
 * @param {(axes: number) => Promise<number>} attempt draws, returns how many pixels it is too wide
 * @returns {Promise<number>} the width of the axes, for the next drawing
 */
export async function fit_width(axes, attempt) {
  let guess = axes;
  for (let left = MAX_ATTEMPTS; left > 0; --left) {
    const excess = await attempt(guess);
    if (excess <= 0.5 && excess >= -8) break;
    // Two extra pixels, so that rounding does not cause another miss.
    guess += Math.ceil(excess) + 2;
  }
  return guess;
}

/**
 * @param {{drawn: number, width: number, is_narrow: boolean}} chart
 * @returns {number} how many pixels it is too wide
 */
export function excess_of({ drawn, width, is_narrow }) {
  return is_narrow && drawn <= width ? 0 : drawn - width;
}
