import { TINT, tinted } from "./algorithms.js";

/**
 * Where curves with a diverged run end or leave the panel.
 * @param {Object[]} points all points of a panel
 * @param {Object[]} drawn the points that can be drawn
 * @param {{x: number[], y: number[]}} limits of the axes
 * @returns {{algorithm: string, iteration: number, distance: number}[]}
 */
export function diverged_ends(points, drawn, limits) {
  const diverged = new Set(
    points.filter((p) => p.diverged > 0 || p.distance === null).map((p) => p.algorithm),
  );
  return [...diverged].map((algorithm) => {
    const curve = drawn.filter((point) => point.algorithm === algorithm);
    const last = curve.find((point) => point.distance >= limits.y[1]) ?? curve.at(-1);
    const iteration = last ? last.iteration : limits.x[0];
    return { algorithm, iteration, distance: Math.min(last?.distance ?? Infinity, limits.y[1]) };
  });
}

/**
 * A cross at each of these ends and an explanation in the corner, with names if there is room.
 * @param {ReturnType<typeof diverged_ends>} ends
 * @param {{x: number[], y: number[]}} limits
 * @param {Object} context
 * @param {import("../theme.js").Theme} context.theme
 * @param {boolean} context.has_room
 * @param {string[]} [context.algorithms] in legend order
 * @param {string} [context.unit] what the field `iteration` counts
 * @returns {Object[]} layers of Vega-Lite
 */
export function diverged_layers(ends, limits, { theme, has_room, algorithms, unit }) {
  if (ends.length === 0) return [];
  const names = ends.map(({ algorithm }) => algorithm).join(", ");
  const corner = { iteration: limits.x[0], distance: limits.y[1] };
  const position = {
    x: { field: "iteration", type: "quantitative" },
    y: { field: "distance", type: "quantitative" },
  };
  return [
    {
      data: { values: tinted(ends, theme, algorithms) },
      mark: { type: "point", shape: "cross", angle: 45, size: 90, filled: true, opacity: 1 },
      encoding: {
        ...position,
        fill: TINT,
        tooltip: [
          { field: "algorithm", title: "diverged" },
          { field: "iteration", title: unit ?? "iteration" },
        ],
      },
    },
    {
      data: { values: [{ ...corner, text: has_room ? `× diverged: ${names}` : "× diverged" }] },
      mark: { type: "text", align: "left", dx: 4, dy: 9 },
      encoding: { ...position, text: { field: "text", type: "nominal" } },
    },
  ];
}
