import { bound, fixed, significant } from "../format.js";
import { sortable_table } from "../sortable_table.js";
import { setting_columns, varying, yes_or_no } from "./labels.js";

/**
 * What was computed without sampling, and what the convergence proofs assume.
 * @param {Object} data
 * @returns {HTMLElement[]}
 */
export function conditions({ tables }) {
  return [setting_table(tables.settings), condition_table(tables.conditions)];
}

function setting_table(rows) {
  const distance = (value) => (value !== null && value < 1e-8 ? "0" : significant(value, 3));
  return sortable_table({
    name: "study-settings",
    caption: "Settings: exact value, projected fixed point, and the γ below which the paper guarantees TD",
    rows,
    columns: [
      { key: "features", label: "Features" },
      ...setting_columns(rows).filter(({ key }) => key !== "features"),
      { key: "d", label: "d" },
      { key: "rank", label: "Rank" },
      { key: "value_norm", label: "Norm of value", format: (value) => significant(value, 4) },
      { key: "value_error_bound", label: "Exact within", format: bound },
      { key: "projection_error", label: "Best fit", format: distance, text: false },
      { key: "fixed_point_distance", label: "Fixed point", format: distance, text: false },
      { key: "fixed_point_status", label: "Fixed-point status" },
      { key: "gamma_limit", label: "Paper: γ below", format: (value) => fixed(value, 3) },
    ],
  });
}

function condition_table(rows) {
  return sortable_table({
    name: "study-conditions",
    caption: "What the proof for each learner assumes",
    rows,
    filters: [
      ...varying(rows),
      { key: "algorithm", label: "Learner" },
      { key: "assumption", label: "Assumption" },
    ],
    columns: [
      ...setting_columns(rows),
      { key: "algorithm", label: "Learner" },
      { key: "assumption", label: "Assumption" },
      { key: "holds", label: "Holds", format: yes_or_no },
      { key: "reason", label: "Because", prose: true },
    ],
  });
}
