/** The learning algorithms of the convergence figures, in legend order. */
export const ALGORITHMS = ["TD(0)", "TD(0.3)", "TD(0.6)", "TD(1)", "Newton"];

/** The colour channel for marks coloured by algorithm that do not appear in the legend. */
export const TINT = { field: "tint", type: "nominal", scale: null };

/**
 * Adds the colour of the algorithm to each row, in the field `tint`.
 * @param {Object[]} points
 * @param {import("../theme.js").Theme} theme
 * @param {string[]} [algorithms] in legend order
 * @returns {Object[]}
 */
export function tinted(points, theme, algorithms = ALGORITHMS) {
  const colours = algorithm_colours(theme, algorithms);
  return points.map((point) => ({ ...point, tint: colours[algorithms.indexOf(point.algorithm)] }));
}

/**
 * @param {import("../theme.js").Theme} theme
 * @param {string[]} [algorithms]
 * @returns {string[]} one colour per algorithm
 */
export function algorithm_colours({ series, ink }, algorithms = ALGORITHMS) {
  if (algorithms !== ALGORITHMS) return algorithms.map((_, i) => series[i % series.length]);
  const [blue, red, green, purple] = series;
  return [blue, green, purple, red, ink];
}
