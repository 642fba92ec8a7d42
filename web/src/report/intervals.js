import { chart_view } from "../chart_view.js";
import { interval_dots } from "../charts/interval_dots.js";
import { element, labelled_select } from "../dom.js";
import { count, percent, significant } from "../format.js";
import { sortable_table } from "../sortable_table.js";
import { distinct } from "../sorting.js";

/** The goal for coverage, on average over states. */
const BAND = [0.93, 0.97];

/** Larger ratios are drawn at the edge: some are in the thousands. */
const MOST_RATIO = 10;

const METHODS = {
  "newton batch-means": "Newton, batch means",
  "newton random-scaling": "Newton, random scaling",
  "averaged-td random-scaling": "averaged TD, random scaling",
};

const RATIOS = [
  { algorithm: "newton", method: "batch-means", key: "width", label: "width, batch means" },
  { algorithm: "newton", method: "random-scaling", key: "width", label: "width, random scaling" },
  { algorithm: "newton", method: "batch-means", key: "error", label: "error, Newton" },
  { algorithm: "newton-as-published", method: "", key: "error", label: "error, as published" },
  { algorithm: "averaged-td", method: "random-scaling", key: "error", label: "error, averaged TD" },
];

/**
 * Coverage and width of intervals.
 * @param {Object} study intervals
 * @returns {HTMLElement[]}
 */
export function intervals({ study, tables }) {
  const { cells = [], misses = [] } = tables;
  if (cells.length === 0) return [];
  return [
    coverage_chart(study, cells),
    ratio_chart(study, cells),
    ...(misses.length > 0 ? [miss_table(study, misses)] : []),
    cell_table(study, cells),
  ];
}

/** A select field for the number of updates, the largest first, and the rows that it selects. */
function updates_choice(cells) {
  const values = distinct(cells, "n");
  let n = values[values.length - 1];
  const controls = (phone, redraw) => {
    if (values.length < 2) return null;
    const on_change = (value) => {
      n = Number(value);
      redraw();
    };
    const options = values.map((value) => ({ value: String(value), text: count(value) }));
    const field = labelled_select({ label: "Updates", options, value: String(n), on_change });
    return element("div", { class: "controls" }, field);
  };
  return { controls, rows: () => cells.filter((cell) => cell.n === n) };
}

/**
 * Marks for the chart of coverage.
 * @param {Object[]} cells
 * @returns {Object} data for `interval_dots`
 */
export function coverage_data(cells) {
  const dots = cells
    .filter(({ coverage }) => typeof coverage === "number")
    .map((cell) => ({
      ...cell,
      series: METHODS[`${cell.algorithm} ${cell.method}`],
      amount: cell.coverage,
      to: cell.least_coverage,
      shown: `${percent(cell.coverage, 1)}, in the worst state ${percent(cell.least_coverage, 1)}`,
    }));
  const least = Math.min(0.85, ...dots.map((dot) => dot.amount));
  const low = Math.floor(20 * least) / 20;
  const step = low < 0.75 ? 0.1 : 0.05;
  const ticks = Array.from({ length: Math.floor((1 - low) / step + 1e-9) + 1 }, (_, i) =>
    Number((1 - i * step).toFixed(2)),
  );
  return {
    dots,
    labels: Object.values(METHODS).filter((label) => dots.some(({ series }) => series === label)),
    y: {
      title: "coverage",
      domain: [low, 1],
      drawn: [low, 1],
      type: "linear",
      ticks,
      format: ".0%",
    },
    goal: 0.95,
    band: BAND,
  };
}

/**
 * Marks for the chart of widths and errors.
 * @param {Object[]} cells
 * @returns {Object} data for `interval_dots`
 */
export function ratio_data(cells) {
  const dots = RATIOS.flatMap(({ algorithm, method, key, label }) =>
    cells
      .filter((cell) => cell.algorithm === algorithm && cell.method === method)
      .filter((cell) => typeof cell[key] === "number")
      .map((cell) => ({
        ...cell,
        series: label,
        amount: cell[key],
        shown: significant(cell[key], 3),
      })),
  );
  const most = Math.min(MOST_RATIO, Math.max(2, ...dots.map((dot) => dot.amount)));
  return {
    dots,
    labels: RATIOS.map(({ label }) => label).filter((label) =>
      dots.some(({ series }) => series === label),
    ),
    y: {
      title: "times the asymptotic",
      domain: [0.88, 1.2 * most],
      drawn: [0.9, most],
      type: "log",
      ticks: [1, 1.5, 2, 3, 5, 10],
      format: "~r",
    },
    goal: 1,
    band: null,
  };
}

function coverage_chart(study, cells) {
  const choice = updates_choice(cells);
  return chart_view({
    name: `${study}-coverage`,
    title: "How often 95 % intervals hold the value",
    caption:
      "Share of runs whose interval holds the value, on average over states; a line leads to the " +
      "worst state, or to the edge of the plot. The band is 93 to 97 %.",
    rows: cells,
    controls: choice.controls,
    build: (context) => interval_dots(coverage_data(choice.rows()), context),
  });
}

function ratio_chart(study, cells) {
  const choice = updates_choice(cells);
  return chart_view({
    name: `${study}-ratios`,
    title: "Widths and errors beside the asymptotic ones",
    caption:
      "Mean width of the intervals, and root mean square error of the estimates, over those of the " +
      "exact asymptotic covariance (logarithmic). As published, the samples of Newton's warm-up " +
      "count for ever; ratios above 10 are drawn at the edge.",
    rows: cells,
    controls: choice.controls,
    build: (context) => interval_dots(ratio_data(choice.rows()), context),
  });
}

const ALGORITHMS = { "newton-as-published": "Newton as published" };

/** Rows with the texts of their first columns. */
function named(rows) {
  return rows.map((row) => ({
    ...row,
    setting: `${row.chain}, ${row.features}`,
    estimate: METHODS[`${row.algorithm} ${row.method}`] ?? ALGORITHMS[row.algorithm],
  }));
}

const SETTING_COLUMNS = [
  { key: "setting", label: "Chain, features" },
  { key: "tau", label: "τ" },
  { key: "n", label: "Updates", format: count },
  { key: "estimate", label: "Estimate" },
];
const SETTING_FILTERS = [
  { key: "setting", label: "Chain, features" },
  { key: "n", label: "Updates" },
  { key: "estimate", label: "Estimate" },
];
const share = (value) => percent(value, 1);

// One row per estimate, with its coverage and the `further` columns.
function estimate_table(name, caption, rows, further) {
  return sortable_table({
    name,
    caption,
    rows: named(rows),
    filters: SETTING_FILTERS,
    columns: [
      ...SETTING_COLUMNS,
      { key: "coverage", label: "Coverage", format: share },
      { key: "least_coverage", label: "Worst state", format: share },
      ...further,
    ],
  });
}

function miss_table(study, rows) {
  return estimate_table(
    `${study}-misses`,
    "Where coverage is not 93 to 97 %, or below 92 % in a state, and why",
    rows,
    [{ key: "why", label: "Why", prose: true }],
  );
}

function cell_table(study, rows) {
  const ratio = (value) => significant(value, 3);
  return estimate_table(
    `${study}-cells`,
    "Coverage, and widths and errors over the asymptotic ones",
    rows,
    [
      { key: "width", label: "Width", format: ratio },
      { key: "error", label: "Error", format: ratio },
      { key: "not_yet", label: "Not yet", format: share },
    ],
  );
}
