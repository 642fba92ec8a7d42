import { distinct } from "../sorting.js";

/** The parameters of a setting, as filters and first columns of tables. */
const PARAMETERS = [
  { key: "features", label: "Features" },
  { key: "loss", label: "Loss" },
  { key: "gamma", label: "γ" },
];

/**
 * The parameters of which a table has more than one value.
 * @param {Object[]} rows
 * @returns {{key: string, label: string}[]}
 */
export function varying(rows) {
  return PARAMETERS.filter(({ key }) => distinct(rows, key).length > 1);
}

/**
 * The parameters as columns: all that vary, and the loss.
 * @param {Object[]} rows
 * @returns {{key: string, label: string}[]}
 */
export function setting_columns(rows) {
  const shown = varying(rows);
  return PARAMETERS.filter((parameter) => parameter.key === "loss" || shown.includes(parameter));
}

/**
 * The last part of a path, for titles: file_name("folder/model.csv") = "model.csv".
 * @param {string} path
 * @returns {string}
 */
export function file_name(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * @param {boolean} holds
 * @returns {string}
 */
export function yes_or_no(holds) {
  return holds ? "✓ yes" : "✕ no";
}
