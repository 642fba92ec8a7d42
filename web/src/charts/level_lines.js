import { panel_grid } from "../panels.js";

/** Shares without a number of digits: then an axis has as many as tell its labels apart. */
const axis_format = (format) => format.replace(/^\.\d+(~?%)$/, "$1");

/**
 * Results by level of risk aversion: one panel per measure, with the chosen level marked.
 * @param {Object} data
 * @param {Object[]} data.levels with level, is_chosen and the keys of the measures
 * @param {{key: string, title: string, format: string, is_whole: ?boolean}[]} data.measures
 * @param {string} data.x_title
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function level_lines({ levels, measures, x_title }, context) {
  const { theme } = context;
  return panel_grid(measures, context, { columns: 2 }, (measure, { is_bottom }) => {
    const { key, title, format, is_whole } = measure;
    const rows = levels.filter((row) => row[key] !== null);
    const encoding = {
      x: {
        field: "level",
        type: "quantitative",
        scale: { zero: false, padding: 10 },
        axis: { title: is_bottom ? x_title : null, grid: false, tickCount: 5, format: "~g" },
      },
      y: {
        field: key,
        type: "quantitative",
        scale: { zero: false, padding: 8 },
        axis: {
          title: null,
          tickCount: 4,
          format: axis_format(format),
          ...(is_whole ? { tickMinStep: 1 } : {}),
        },
      },
      tooltip: [
        { field: "level", type: "quantitative", title: x_title },
        { field: key, type: "quantitative", title, format },
      ],
    };
    return {
      title,
      height: 150,
      data: { values: rows },
      layer: [
        { mark: { type: "line", strokeWidth: 2, color: theme.series[0] }, encoding },
        {
          mark: { type: "point", filled: true, size: 40, opacity: 1, color: theme.series[0] },
          encoding,
        },
        {
          transform: [{ filter: "datum.is_chosen" }],
          mark: {
            type: "point",
            shape: "diamond",
            filled: true,
            size: 190,
            opacity: 1,
            color: theme.series[1],
          },
          encoding,
        },
      ],
    };
  });
}
