/**
 * Rows as CSV (RFC 4180): a header with the keys of the first row, then one line per row. Null is
 * an empty field.
 * @param {Object<string, any>[]} rows all with the same keys
 * @returns {string}
 */
export function to_csv(rows) {
  if (rows.length === 0) return "";
  const keys = Object.keys(rows[0]);
  const lines = rows.map((row) => keys.map((key) => field(row[key])).join(","));
  return `${[keys.map(field).join(","), ...lines].join("\r\n")}\r\n`;
}

function field(value) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
