/** Shown for a missing value. */
export const NO_VALUE = "–";

const MINUS = "−";
const THIN_SPACE = "\u202f";

/**
 * A number with a fixed number of decimals: fixed(-1.256, 2) = "−1.26".
 * @param {?number} value null gives a dash
 * @param {number} digits
 * @returns {string}
 */
export function fixed(value, digits) {
  if (!is_number(value)) return NO_VALUE;
  const text = Math.abs(value).toFixed(digits);
  const is_zero = Number(text) === 0;
  return (value < 0 && !is_zero ? MINUS : "") + group_thousands(text);
}

/**
 * Like `fixed`, with a plus sign if positive: signed(0.5, 1) = "+0.5".
 * @param {?number} value
 * @param {number} digits
 * @returns {string}
 */
export function signed(value, digits) {
  const text = fixed(value, digits);
  return is_number(value) && Number(value.toFixed(digits)) > 0 ? `+${text}` : text;
}

/**
 * A fraction as a percentage: percent(0.973, 1) = "97.3 %".
 * @param {?number} fraction
 * @param {number} digits
 * @returns {string}
 */
export function percent(fraction, digits) {
  return is_number(fraction) ? `${fixed(100 * fraction, digits)}${THIN_SPACE}%` : NO_VALUE;
}

/**
 * A count: count(888030) = "888 030" with thin spaces.
 * @param {?number} value
 * @returns {string}
 */
export function count(value) {
  return fixed(value, 0);
}

/**
 * A number with the given significant digits: significant(0.00012345, 3) = "0.000123",
 * significant(1.7e-8, 2) = "1.7e−8".
 * @param {?number} value
 * @param {number} digits
 * @returns {string}
 */
export function significant(value, digits) {
  if (!is_number(value)) return NO_VALUE;
  if (value === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent < -4 || exponent > 6) {
    return value
      .toExponential(digits - 1)
      .replace("e+", "e")
      .replaceAll("-", MINUS);
  }
  return fixed(value, Math.max(0, digits - 1 - exponent));
}

/**
 * A bound on an error, rounded up to two significant digits: bound(0.43186) = "0.44".
 * @param {?number} error
 * @returns {string}
 */
export function bound(error) {
  if (!is_number(error) || error <= 0) return significant(error, 2);
  const exponent = Math.floor(Math.log10(error)) - 1;
  let digits = Math.ceil(error / Number(`1e${exponent}`)) - 1;
  while (Number(`${digits}e${exponent}`) < error) ++digits; // the quotient is rounded, too
  return plain(Number(`${digits}e${exponent}`), 2);
}

/**
 * A value with a certified error: no digit below the first one of the error, at most so many, and a
 * bound that includes the rounding of the value: certain(53.18516, 0.43186, 6) = ["53.2", "0.45"].
 * @param {number} value
 * @param {number} error
 * @param {number} most significant digits
 * @returns {string[]} the value and the bound
 */
export function certain(value, error, most) {
  const place = (number) => (number === 0 ? -300 : Math.floor(Math.log10(Math.abs(number))));
  const last = Math.max(place(error), place(value) - most + 1);
  const shown = last > 0 ? Math.round(value / 10 ** last) * 10 ** last : value;
  const decimals = Math.min(Math.max(-last, 0), 20);
  const rounding = Math.abs(Number(shown.toFixed(decimals)) - value);
  const slack = 1 + 1e-15; // of the sum, and of decimal fractions as doubles
  const total = (error + rounding) * slack + Math.abs(value) * Number.EPSILON;
  return [fixed(shown, decimals), bound(total)];
}

/**
 * A number with at most the given significant digits and no trailing zeros: plain(10, 4) = "10",
 * plain(2.5, 4) = "2.5".
 * @param {?number} value
 * @param {number} digits
 * @returns {string}
 */
export function plain(value, digits) {
  const text = significant(value, digits);
  return /^[^e]*\.[^e]*$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

/**
 * A duration in a readable unit: duration(0.0123) = "12 ms", duration(50400) = "14 h", with thin
 * spaces.
 * @param {?number} seconds
 * @returns {string}
 */
export function duration(seconds) {
  if (!is_number(seconds)) return NO_VALUE;
  if (seconds < 0.0995) return `${significant(1000 * seconds, 2)}${THIN_SPACE}ms`;
  if (seconds < 99.95) return `${significant(seconds, 3)}${THIN_SPACE}s`;
  if (seconds < 5970) return `${significant(seconds / 60, 2)}${THIN_SPACE}min`;
  return `${significant(seconds / 3600, 2)}${THIN_SPACE}h`;
}

/**
 * @param {number} number
 * @param {string} one "finding"
 * @param {string} [many] "findings"; default: `one` plus "s"
 * @returns {string} "1 finding", "3 findings"
 */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/**
 * @param {string[]} items
 * @returns {string} "a, b and c"
 */
export function listed(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

function is_number(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function group_thousands(text) {
  const [whole, fraction] = text.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
