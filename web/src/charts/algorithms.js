/** The learning algorithms of the convergence figures, in the order of the legend. */
export const ALGORITHMS = ["TD(0)", "TD(0.3)", "TD(0.6)", "TD(1)", "Newton"];

/** The channel for marks that have the colour of their algorithm but no place in the legend. */
export const TINT = { field: "tint", type: "nominal", scale: null };

/**
 * Rows with the colour of their algorithm in a field `tint`.
 * @param {Object[]} points
 * @param {import("../theme.js").Theme} theme
 * @returns {Object[]}
 */
export function tinted(points, theme) {
  const colours = algorithm_colours(theme);
  return points.map((point) => ({ ...point, tint: colours[ALGORITHMS.indexOf(point.algorithm)] }));
}

/**
 * @param {import("../theme.js").Theme} theme
 * @returns {string[]} one colour an algorithm
 */
export function algorithm_colours({ series: [blue, red, green, purple], ink }) {
  return [blue, green, purple, red, ink];
}
