import { count, percent, significant } from "../format.js";
import { sortable_table } from "../sortable_table.js";
import { setting_columns, varying, yes_or_no } from "./labels.js";

/**
 * The final distances.
 * @param {Object} data
 * @returns {HTMLElement[]}
 */
export function ends({ tables, confidence }) {
  const rows = tables.ends;
  const three = (value) => (value !== null && value < 1e-9 ? "0" : significant(value, 3)); // rounding
  const mean = (value, row) => {
    if (row.singular === row.runs) return "singular"; // what the weights are then is no result
    return value === null && row.diverged > 0 ? "∞" : three(value);
  };
  const number = (key, label, format = mean) => ({ key, label, format, text: false });
  const has_intervals = rows.some((row) => row.coverage !== null);
  const share = (value, row) => (row.intervals === 0 ? "no intervals" : percent(value, 1));
  const singular = rows.some((row) => row.singular > 0)
    ? [{ key: "singular", label: "Runs singular", format: of_runs }]
    : [];
  const coverage = [
    { key: "coverage", label: `Coverage of ${percent(confidence, 0)}`, format: share, text: false },
  ];
  return [
    sortable_table({
      name: "study-ends",
      caption: "Distances after the last update; means are infinite if a run diverged",
      rows,
      filters: [...varying(rows), { key: "algorithm", label: "Learner" }],
      columns: [
        ...setting_columns(rows),
        { key: "algorithm", label: "Learner" },
        { key: "guaranteed", label: "Guaranteed", format: yes_or_no },
        number("to_value", "To value"),
        number("to_value_standard_error", "± s.e."),
        number("to_value_median", "Median"),
        number("to_limit", "To its limit"),
        number("limit_distance", "Limit to value", three),
        { key: "diverged", label: "Runs diverged", format: of_runs },
        ...singular,
        {
          key: "updates_to_threshold",
          label: "Updates to 5 %",
          format: (value) => (value === null ? "never" : count(value)),
          text: false,
        },
        ...(has_intervals ? coverage : []),
      ],
    }),
  ];
}

function of_runs(value, { runs }) {
  return value > 0 ? `✕ ${count(value)} of ${count(runs)}` : `0 of ${count(runs)}`;
}
