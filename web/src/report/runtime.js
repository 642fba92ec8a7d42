import { chart_view } from "../chart_view.js";
import { runtime_dots } from "../charts/runtime_dots.js";
import { bound, count, duration, fixed, significant } from "../format.js";
import { sortable_table } from "../sortable_table.js";

const two = (value) => fixed(value, 2);

/**
 * Evaluation times, and exact solutions at shelf life 8.
 * @param {Object} study table-runtime
 * @returns {HTMLElement[]}
 */
export function runtime({ study, tables }) {
  const { cells = [], choices = [], eight = [] } = tables;
  const parts = [];
  if (cells.length > 0) parts.push(time_chart(study, cells), time_table(study, cells));
  if (choices.length > 0) parts.push(choice_table(study, choices));
  if (eight.length > 0) parts.push(eight_table(study, eight));
  return parts;
}

function time_chart(study, rows) {
  return chart_view({
    name: `${study}-seconds`,
    title: "Time for one policy evaluation",
    caption:
      "Value iteration (VI, exact), UBSR-TD and UBSR-Newton, as published and as we train, with one " +
      "mark per risk level. A triangle marks a time for which the paper gives only a lower bound.",
    rows,
    build: (context) => runtime_dots(rows, context),
  });
}

function time_table(study, rows) {
  const paper_time = (value, row) =>
    value !== null && row.paper_is_lower_bound ? `> ${duration(value)}` : duration(value);
  return sortable_table({
    name: `${study}-cells`,
    caption: "Times and gaps, in the paper and here",
    rows,
    filters: [
      { key: "m", label: "Shelf life" },
      { key: "method", label: "Method" },
      { key: "training", label: "Training" },
    ],
    columns: [
      { key: "m", label: "Shelf life" },
      { key: "tau", label: "τ" },
      { key: "method", label: "Method" },
      { key: "training", label: "Training" },
      { key: "paper_seconds", label: "Paper", format: paper_time },
      { key: "seconds", label: "Here", format: duration },
      { key: "times_faster", label: "Speed-up", format: (value) => significant(value, 2) },
      { key: "paper_gap_percent", label: "Gap %, paper", format: two },
      { key: "gap_percent", label: "Gap %, here", format: two },
    ],
  });
}

function choice_table(study, rows) {
  return sortable_table({
    name: `${study}-choices`,
    caption: "What the paper leaves open: errors of mean estimates by choice, in percent",
    rows,
    filters: [
      { key: "m", label: "Shelf life" },
      { key: "method", label: "Method" },
    ],
    columns: [
      { key: "m", label: "Shelf life" },
      { key: "tau", label: "τ" },
      { key: "method", label: "Method" },
      { key: "choice", label: "Training" },
      { key: "gap_percent", label: "Error %", format: two },
      { key: "unusable", label: "Unusable estimates", format: count },
    ],
  });
}

function eight_table(study, rows) {
  return sortable_table({
    name: `${study}-eight`,
    caption: "Shelf life 8, solved exactly",
    rows,
    columns: [
      { key: "tau", label: "τ" },
      { key: "policy", label: "Policy" },
      { key: "value", label: "Value at empty stock", format: (value) => fixed(value, 4) },
      { key: "error_bound", label: "Error bound", format: bound },
      { key: "order_at_empty", label: "Order at empty stock" },
      { key: "seconds", label: "Time", format: duration },
      { key: "states", label: "States", format: count },
    ],
  });
}
