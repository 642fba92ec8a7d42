import { fixed } from "../format.js";
import { panel_grid } from "../panels.js";
import { ALGORITHMS, algorithm_colours, TINT, tinted } from "./algorithms.js";
import { diverged_ends, diverged_layers } from "./diverged_marks.js";
import {
  colour_channel,
  dash_channel,
  decades,
  legend_columns,
  empty_chart,
  thinned,
  WIDE_LABELS,
} from "./series.js";

/**
 * A dashed line across a panel, where learners should end. It has the colour of `algorithm`, if
 * given.
 * @typedef {{distance: ?number, algorithm?: string}} LimitLine
 */

/**
 * Distance by iteration, on logarithmic axes: small multiples with one column per level and one row
 * per combination of the other parameters. A cross marks curves with a diverged run.
 * @param {Object} data
 * @param {string} data.level the parameter by column: "tau", "mu", "loss"
 * @param {Object[]} data.curves with `low` and `high` where the band is not one standard error
 * @param {Object[]} data.settings with `limits`, LimitLine[], or one `fixed_point_distance`
 * @param {any[]} data.levels the levels shown, one column each
 * @param {string[]} [data.others] the other parameters
 * @param {string[]} [data.algorithms] in legend order
 * @param {(setting: Object, is_slim: boolean) => Object} [data.title] of a panel
 * @param {string} [data.unit] what the field `iteration` counts, for the axis
 * @param {import("../drawing.js").ChartContext} context
 * @returns {Object} a Vega-Lite specification
 */
export function convergence_panels(
  {
    level,
    curves,
    settings,
    levels,
    others = ["d", "gamma"],
    algorithms = ALGORITHMS,
    title = (setting, is_slim) => panel_title(setting, level, is_slim),
    unit = "iteration",
  },
  context,
) {
  if (settings.length === 0) return empty_chart("Nothing to show", context.width);
  const rows = new Map(); // by the other parameters: panels in a row share the distance axis
  for (const setting of settings) {
    const key = others.map((name) => setting[name]).join(" ");
    if (!rows.has(key)) rows.set(key, { settings: [], key });
    rows.get(key).settings.push(setting);
  }
  const panels = [...rows.values()].flatMap((row) => {
    const members = row.settings.map((setting) => ({
      setting,
      points: curves
        .filter((point) => [level, ...others].every((name) => point[name] === setting[name]))
        .map(with_band),
    }));
    const domain = distance_domain(members);
    return members.map((member) => ({ ...member, domain }));
  });
  return panel_grid(panels, context, { columns: levels.length, spacing: 14 }, (panel, place) =>
    panel_spec({ ...panel, title, algorithms, unit, context, place }),
  );
}

function with_band(point) {
  if ("low" in point) return point;
  const { distance, standard_error: error } = point;
  if (distance === null || error === null) return { ...point, low: null, high: null };
  return { ...point, low: Math.max(distance - error, distance / 100), high: distance + error };
}

/** The limits that differ from the reference by more than rounding. */
function limit_lines({ limits, fixed_point_distance, value_norm: norm }) {
  const lines = limits ?? [{ distance: fixed_point_distance }];
  return lines.filter(({ distance }) => distance > 1e-8 * (norm > 0 ? norm : 1));
}

/** A diverging curve must not flatten the others: the axis ends at most at ten times the start. */
function distance_domain(members) {
  const values = members.flatMap(({ setting, points }) => [
    ...points.map((point) => point.distance),
    ...limit_lines(setting).map(({ distance }) => distance),
  ]);
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [0.1, 10];
  const norm = Math.max(...members.map(({ setting }) => setting.value_norm ?? 0));
  const start = norm > 0 ? norm : Math.min(...positive);
  const high = Math.min(Math.max(...positive), 10 * start);
  return [Math.min(...positive, start), high];
}

function panel_spec({ setting, points, domain, title, algorithms, unit, context, place }) {
  const { theme, phone } = context;
  const is_large = place.width > 400 || phone;
  const y_ticks = decades(domain[0], domain[1]);
  const x_ticks = decades(1, Math.max(10, ...points.map((point) => point.iteration)));
  const limits = { x: [x_ticks[0], x_ticks[x_ticks.length - 1]], y: [y_ticks[0], y_ticks.at(-1)] };
  const drawn = points.filter((point) => point.distance > 0 && point.iteration >= 1);
  const ends = diverged_ends(points, drawn, limits);
  const position = {
    x: {
      field: "iteration",
      type: "quantitative",
      scale: { type: "log", domain: limits.x, nice: false },
      axis: {
        title: place.is_bottom ? unit : null,
        labels: place.is_bottom,
        values: thinned(x_ticks, is_large ? 7 : 3),
        format: "~s",
      },
    },
    y: {
      field: "distance",
      type: "quantitative",
      scale: { type: "log", domain: limits.y, nice: false },
      axis: {
        title: place.is_left ? "distance" : null,
        labels: place.is_left,
        values: thinned(y_ticks, 5),
        labelExpr: WIDE_LABELS,
      },
    },
  };
  return {
    title: title(setting, place.width < 145),
    height: is_large ? Math.min(320, Math.round(0.75 * place.width)) : 130,
    layer: [
      band_layer(drawn, position, { theme, algorithms }),
      line_layer(drawn, position, { ...context, algorithms }),
      ...limit_layer(setting, theme, algorithms),
      ...diverged_layers(ends, limits, { theme, has_room: is_large, algorithms, unit }),
    ],
  };
}

function panel_title(setting, level, is_slim) {
  const name = level === "tau" ? "τ" : "μ";
  const limit = fixed(setting.gamma_limit, 2);
  const condition = `γ < ${limit} ${setting.condition_holds ? "holds" : "fails"}`;
  const text = `${name} ${setting[level]} · γ ${setting.gamma}`;
  const size = `d ${setting.d}`;
  return is_slim
    ? { text, subtitle: [size, condition] }
    : { text: `${text} · ${size}`, subtitle: condition };
}

function band_layer(points, position, { theme, algorithms }) {
  return {
    data: {
      values: tinted(
        points.filter((point) => point.low !== null && point.high !== null),
        theme,
        algorithms,
      ),
    },
    mark: { type: "area", opacity: theme.name === "dark" ? 0.22 : 0.15, clip: true },
    encoding: {
      ...position,
      y: { ...position.y, field: "low" },
      y2: { field: "high" },
      fill: TINT,
    },
  };
}

function line_layer(points, position, { theme, width, algorithms }) {
  const legend = {
    columns: legend_columns(algorithms, width),
    symbolSize: 500,
    symbolType: "stroke",
  };
  return {
    data: { values: points },
    mark: { type: "line", strokeWidth: 1.8, clip: true },
    encoding: {
      ...position,
      color: colour_channel("algorithm", algorithms, algorithm_colours(theme, algorithms), legend),
      strokeDash: dash_channel("algorithm", algorithms, legend),
    },
  };
}

function limit_layer(setting, theme, algorithms) {
  const lines = limit_lines(setting);
  if (lines.length === 0) return [];
  const coloured = tinted(lines, theme, algorithms);
  return [
    {
      data: { values: coloured.map((line) => ({ ...line, tint: line.tint ?? theme.muted })) },
      mark: { type: "rule", strokeDash: [3, 3], strokeWidth: 1.2 },
      encoding: {
        y: { field: "distance", type: "quantitative" },
        stroke: TINT,
      },
    },
  ];
}
