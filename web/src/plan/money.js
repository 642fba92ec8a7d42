import { fixed } from "../format.js";

/**
 * Writes amounts of money, with the currency if the plan has one. Small amounts have decimals:
 * 4.25, 31.2, 1 510.
 * @param {string} currency
 * @returns {(amount: ?number) => string}
 */
export function money_in(currency) {
  const unit = currency ? `\u00a0${currency}` : "";
  return (amount) => {
    const size = Math.abs(amount ?? 0);
    const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return `${fixed(amount, digits)}${amount === null ? "" : unit}`;
  };
}
