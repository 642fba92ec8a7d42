const collator = new Intl.Collator("en", { numeric: true });

/**
 * Compares two values of a column: numbers by size, false before true, text with embedded numbers
 * compared numerically, so that "(10,1,20,5)" precedes "(50,1,20,5)".
 * @returns {number} negative, zero or positive
 */
export function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  return collator.compare(String(a), String(b));
}

/**
 * A sorted copy. Rows without a value come last in both directions; the sort is stable.
 * @param {Object<string, any>[]} rows
 * @param {(row: Object<string, any>) => any} value_of
 * @param {boolean} descending
 * @returns {Object<string, any>[]}
 */
export function sorted(rows, value_of, descending) {
  const sign = descending ? -1 : 1;
  return [...rows].sort((left, right) => {
    const a = value_of(left);
    const b = value_of(right);
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compare(a, b);
  });
}

/**
 * The distinct values of a key, sorted.
 * @param {Object<string, any>[]} rows
 * @param {string} key
 * @returns {any[]}
 */
export function distinct(rows, key) {
  return [...new Set(rows.map((row) => row[key]))].sort(compare);
}
