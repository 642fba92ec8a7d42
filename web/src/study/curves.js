import { chart_view } from "../chart_view.js";
import { convergence_panels } from "../charts/convergence_panels.js";
import { PanelChoice } from "../panels.js";
import { file_name } from "./labels.js";

/** More columns would be too narrow to read. */
const MOST_COLUMNS = 4;

/** The limit of TD and Newton, as studies name it. */
const PROJECTED = "projected fixed point";

const BAND =
  "Median over runs with a band from the 10 % to the 90 % quantile; both axes are logarithmic. A " +
  "cross marks a curve for which at least one run diverged.";

/**
 * Distances by the number of updates: to the exact value, and to where the learner should end.
 * @param {Object} data
 * @returns {HTMLElement[]}
 */
export function curves({ tables }) {
  const charts = [
    distance_chart(tables, {
      key: "to_value",
      name: "study-to-value",
      title: "Distance to the exact value",
      caption:
        `${BAND} Dashed lines are where learners should end, if that is not the value itself: ` +
        "features that cannot represent the value keep them from coming closer. Grey is the " +
        "projected fixed point, of TD and Newton; the limits of averagers and of traces have the " +
        "colour of their learner.",
    }),
  ];
  // Where every limit is the value itself, up to rounding, the chart would be the same.
  if (tables.ends.some((row) => row.limit_distance > 1e-9)) {
    charts.push(
      distance_chart(tables, {
        key: "to_limit",
        name: "study-to-limit",
        title: "Distance to the learner's own limit",
        caption:
          `${BAND} The limit is computed without sampling: the projected fixed point, the ` +
          "fixed point of an averager or, with traces, the root of their mean update.",
      }),
    );
  }
  return charts;
}

/**
 * The curves as `convergence_panels` takes them, for one kind of distance.
 * @param {Object} tables
 * @param {"to_value"|"to_limit"} key
 * @returns {{curves: Object[], settings: Object[]}}
 */
export function panel_data({ curves, settings, ends }, key) {
  // Without a limit, as for averagers at γ = 1, there is no distance although no run diverged.
  const points = curves.filter((point) => point.diverged > 0 || point[`${key}_median`] !== null);
  return {
    curves: points.map((point) => ({
      features: point.features,
      loss: point.loss,
      gamma: point.gamma,
      algorithm: point.algorithm,
      iteration: point.updates,
      distance: point[`${key}_median`],
      low: point[`${key}_low`],
      high: point[`${key}_high`],
      diverged: point.diverged,
    })),
    settings: settings.map((setting) => {
      const own = ends.filter((end) =>
        ["features", "loss", "gamma"].every((name) => end[name] === setting[name]),
      );
      return {
        ...setting,
        limits: key === "to_value" ? limits_of(own) : [],
        learners: own.length,
        guaranteed: own.filter((end) => end.guaranteed).map(({ algorithm }) => algorithm),
      };
    }),
  };
}

/** One line per limit: learners of the same kind share theirs. */
function limits_of(ends) {
  const lines = new Map();
  for (const { limit, limit_distance: distance, algorithm } of ends) {
    const key = `${limit} ${distance}`;
    if (distance === null || lines.has(key)) continue;
    lines.set(key, limit === PROJECTED ? { distance } : { distance, algorithm });
  }
  return [...lines.values()];
}

function distance_chart(tables, { key, name, title, caption }) {
  const { curves: points, settings } = panel_data(tables, key);
  const algorithms = [...new Set(points.map(({ algorithm }) => algorithm))];
  const choice = new PanelChoice(settings, [
    { key: "loss", label: "Loss" },
    { key: "gamma", label: "γ" },
    { key: "features", label: "Features" },
  ]);
  return chart_view({
    name,
    title,
    caption,
    rows: tables.curves,
    controls: choice.controls,
    build: (context) => {
      const shown = settings.filter((setting) => choice.shows(setting));
      const ordered = [...shown].sort(
        (a, b) => position(settings, a) - position(settings, b) || a.gamma - b.gamma,
      );
      return convergence_panels(
        {
          level: "loss",
          curves: points,
          settings: ordered,
          levels: choice.values("loss").slice(0, MOST_COLUMNS),
          others: ["features", "gamma"],
          algorithms,
          title: panel_title,
          unit: "updates",
        },
        context,
      );
    },
  });
}

/** Settings of the same features side by side, in the order in which features were given. */
function position(settings, { features }) {
  return settings.findIndex((setting) => setting.features === features);
}

/**
 * Which learners are guaranteed to converge, in a few words.
 * @param {{guaranteed: string[], learners: number}} setting
 * @returns {string}
 */
export function guarantee_text({ guaranteed, learners }) {
  if (guaranteed.length === 0) return "no guarantee";
  if (guaranteed.length === learners) return "guaranteed";
  return guaranteed.length <= 2
    ? `guaranteed: ${guaranteed.join(", ")}`
    : `guaranteed: ${guaranteed.length} of ${learners} learners`;
}

function panel_title(setting, is_slim) {
  const condition = guarantee_text(setting);
  const text = `${setting.loss} · γ ${setting.gamma}`;
  const features = `${file_name(setting.features)}, d ${setting.d}`;
  return is_slim
    ? { text: setting.loss, subtitle: [`γ ${setting.gamma}`, features, condition] }
    : { text, subtitle: [features, condition] };
}
