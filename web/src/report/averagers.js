import { chart_view } from "../chart_view.js";
import { averager_paths } from "../charts/averager_paths.js";
import { discount_lines } from "../charts/discount_lines.js";
import { element, labelled_select } from "../dom.js";
import { count, percent, significant } from "../format.js";
import { PanelChoice } from "../panels.js";
import { sortable_table } from "../sortable_table.js";

const ERRORS = [
  { key: "td_error", label: "TD" },
  { key: "averager_error", label: "averager TD" },
  { key: "averager_error_elsewhere", label: "averager TD where TD does not settle" },
];

/**
 * Learning that converges for every loss and discount.
 * @param {Object} study averagers
 * @returns {HTMLElement[]}
 */
export function averagers({ study, tables }) {
  const { paths = [], models = [], runs = [] } = tables;
  const parts = [];
  if (paths.length > 0) parts.push(path_chart(study, paths));
  if (models.length > 0) {
    parts.push(settle_chart(study, models), error_chart(study, models), bound_chart(study, models));
    parts.push(model_table(study, models));
  }
  if (runs.length > 0) parts.push(run_table(study, runs));
  return parts;
}

function path_chart(study, paths) {
  const choice = new PanelChoice(paths, [
    { key: "p", label: "p" },
    { key: "root", label: "Root", phone: "smaller" },
  ]);
  return chart_view({
    name: `${study}-paths`,
    title: "The counterexample from several starts",
    caption:
      "The size of the weight by iteration, from -1, 0.1, 1 and 10, with the same steps on the same " +
      "path; both axes are logarithmic. The correct weight is 0. Sizes below 1e-6 are drawn at the " +
      "edge.",
    rows: paths,
    controls: choice.controls,
    build: (context) =>
      averager_paths(
        paths.filter((row) => choice.shows(row)),
        context,
      ),
  });
}

/**
 * Marks for the chart of models on which TD settles.
 * @param {Object[]} models
 * @returns {Object} data for `discount_lines`
 */
export function settle_data(models) {
  const rows = models
    .filter(({ features }) => features !== "aggregation")
    .map((row) => ({
      ...row,
      series: row.loss,
      amount: row.td_settles / row.models,
      shown: `${percent(row.td_settles / row.models, 1)} of ${count(row.models)} models`,
    }));
  return {
    rows,
    labels: [...new Set(rows.map(({ series }) => series))],
    y: { title: "models on which TD settles", domain: [0, 1.15], type: "linear", format: ".0%" },
    goal: { amount: 1, text: "averager TD" },
  };
}

function settle_chart(study, models) {
  return chart_view({
    name: `${study}-settles`,
    title: "On how many random models TD settles",
    caption:
      "Share of models on which the mean field leads TD to a limit that attracts, by loss. Averager " +
      "TD has a limit on all of them. Aggregation is not shown: there the two are the same " +
      "algorithm, and settle.",
    rows: models,
    build: (context) => discount_lines(settle_data(models), context),
  });
}

/**
 * Marks for the chart of errors, for one loss.
 * @param {Object[]} models
 * @param {string} loss
 * @returns {Object} data for `discount_lines`
 */
export function error_data(models, loss) {
  const rows = ERRORS.flatMap(({ key, label }) =>
    models
      .filter((row) => row.loss === loss && row.features !== "aggregation")
      .filter((row) => typeof row[key] === "number")
      .map((row) => ({ ...row, series: label, amount: row[key], shown: significant(row[key], 3) })),
  );
  const amounts = rows.map(({ amount }) => amount);
  const low = Math.min(0.9, 0.8 * Math.min(...amounts));
  const high = Math.max(12, 1.25 * Math.max(...amounts));
  return {
    rows,
    labels: ERRORS.map(({ label }) => label),
    y: { title: "error / deviation of V", domain: [low, high], type: "log" },
    goal: null,
  };
}

/** A select field for the loss, and the loss selected: at first one whose slopes differ much. */
function loss_choice(models) {
  const losses = [...new Set(models.map(({ loss }) => loss))];
  let loss = losses[1] ?? losses[0];
  const controls = (phone, redraw) => {
    if (losses.length < 2) return null;
    const on_change = (value) => {
      loss = value;
      redraw();
    };
    const options = losses.map((value) => ({ value, text: value }));
    const field = labelled_select({ label: "Loss", options, value: loss, on_change });
    return element("div", { class: "controls" }, field);
  };
  return { controls, value: () => loss };
}

function error_chart(study, models) {
  const choice = loss_choice(models);
  return chart_view({
    name: `${study}-errors`,
    title: "How close the limits are to the value",
    caption:
      "Median over models of the error of the limit, weighted by how often states are visited, over " +
      "the standard deviation of the value; logarithmic. Where TD settles, and for averager TD " +
      "also where TD does not.",
    rows: models,
    controls: choice.controls,
    build: (context) => discount_lines(error_data(models, choice.value()), context),
  });
}

/**
 * Marks for the chart of the bound.
 * @param {Object[]} models
 * @returns {Object} data for `discount_lines`
 */
export function bound_data(models) {
  const rows = models.map((row) => ({
    ...row,
    series: row.loss,
    amount: row.error_by_bound,
    shown: `${percent(row.error_by_bound, 1)}, at most ${percent(row.largest_error_by_bound, 1)}`,
  }));
  const least = Math.min(...rows.map(({ amount }) => amount));
  return {
    rows,
    labels: [...new Set(rows.map(({ series }) => series))],
    y: { title: "largest error / bound", domain: [0.8 * least, 2.5], type: "log", format: "~%" },
    goal: { amount: 1, text: "bound" },
  };
}

function bound_chart(study, models) {
  return chart_view({
    name: `${study}-bound`,
    title: "How tight the bound of averager TD is",
    caption:
      "Median over models of the largest error over all states, divided by its bound; logarithmic. " +
      "No model may be above 100 %.",
    rows: models,
    build: (context) => discount_lines(bound_data(models), context),
  });
}

function model_table(study, rows) {
  const number = (value) => significant(value, 3);
  return sortable_table({
    name: `${study}-models`,
    caption: "Random models, by features, loss and discount",
    rows,
    filters: [
      { key: "features", label: "Features" },
      { key: "loss", label: "Loss" },
      { key: "gamma", label: "γ" },
    ],
    columns: [
      { key: "features", label: "Features" },
      { key: "loss", label: "Loss" },
      { key: "gamma", label: "γ" },
      { key: "models", label: "Models", format: count },
      { key: "averager_settles", label: "Averager TD settles", format: count },
      { key: "td_settles", label: "TD settles", format: count },
      { key: "averager_error", label: "Error, averager", format: number, text: false },
      { key: "td_error", label: "Error, TD", format: number, text: false },
      { key: "averager_largest_error", label: "Largest, averager", format: number, text: false },
      { key: "td_largest_error", label: "Largest, TD", format: number, text: false },
      { key: "bound_violations", label: "Beyond the bound", format: count },
      { key: "error_by_bound", label: "Error / bound", format: (value) => percent(value, 1) },
    ],
  });
}

function run_table(study, rows) {
  return sortable_table({
    name: `${study}-runs`,
    caption: "Runs of averager TD beside the fixed point of its operator",
    rows,
    columns: [
      { key: "loss", label: "Loss" },
      { key: "gamma", label: "γ" },
      { key: "updates", label: "Updates", format: count },
      { key: "runs", label: "Runs", format: count },
      { key: "averager_diverged", label: "Diverged", format: count },
      { key: "td_diverged", label: "TD diverged", format: count },
      {
        key: "mean_square_score",
        label: "Mean square, standardised",
        format: (value) => significant(value, 3),
        text: false,
      },
      { key: "within_95", label: "Within 1.96", format: (value) => percent(value, 1) },
      {
        key: "largest_score",
        label: "Largest",
        format: (value) => significant(value, 3),
        text: false,
      },
    ],
  });
}
