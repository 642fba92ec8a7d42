import { plain, significant } from "../format.js";
import { sortable_table } from "../sortable_table.js";
import { setting_columns, varying } from "./labels.js";

/**
 * V, its best approximation and the fixed points, by state.
 * @param {Object} data
 * @returns {HTMLElement[]}
 */
export function values({ tables, sense }) {
  const rows = tables.values;
  const number = (key, label) => ({
    key,
    label,
    format: (value) => plain(value, 6),
    text: false,
  });
  const has_averager = rows.some((row) => row.averager_fixed_point !== null);
  const has_names = rows.some((row) => row.name !== undefined);
  return [
    sortable_table({
      name: "study-values",
      caption: `Values by state, as ${sense === "reward" ? "rewards" : "costs"}`,
      rows,
      filters: varying(rows),
      columns: [
        ...setting_columns(rows),
        { key: "state", label: "State" },
        ...(has_names ? [{ key: "name", label: "Name" }] : []),
        { key: "q", label: "Share of visits", format: (value) => significant(value, 3) },
        number("value", "Exact value"),
        number("projection", "Best fit"),
        number("fixed_point", has_averager ? "TD's fixed point" : "Fixed point"),
        ...(has_averager ? [number("averager_fixed_point", "Averager's fixed point")] : []),
      ],
    }),
  ];
}
