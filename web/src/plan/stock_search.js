import { each_stock } from "../stock_rank.js";

/**
 * @typedef {Object} StockQuery
 * @property {number} day
 * @property {(number|null)[]} units required by age, null for any
 * @property {?number} total
 * @property {?number} order
 * @property {number|"total"|"order"} sort an age index (0 is one day left) or a column
 * @property {boolean} descending
 * @property {number} limit maximum number of stocks returned
 */

/**
 * The first matching stocks in sorted order, and the number of all matches. One pass over all
 * stocks without storing them: sort keys are small integers, so it keeps the first stocks of each.
 * @param {{ages: number, capacity: number}} orders
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @param {StockQuery} query
 * @returns {{matches: number, found: {stock: number[], total: number, order: number}[]}}
 */
export function search_stocks({ ages, capacity }, book, query) {
  const buckets = [];
  let matches = 0;
  each_stock(ages, capacity, (stock, total, number) => {
    if (query.total !== null && total !== query.total) return;
    for (let i = 0; i < ages; ++i) {
      if (query.units[i] !== null && stock[i] !== query.units[i]) return;
    }
    const order = book.order(query.day, number);
    if (query.order !== null && order !== query.order) return;
    ++matches;
    const key = sort_key(query.sort, { stock, total, order });
    const bucket = (buckets[key] ??= []);
    if (bucket.length < query.limit) bucket.push({ stock: [...stock], total, order });
  });
  const filled = buckets.filter((bucket) => bucket !== undefined);
  if (query.descending) filled.reverse();
  return { matches, found: filled.flat().slice(0, query.limit) };
}

function sort_key(sort, { stock, total, order }) {
  if (sort === "total") return total;
  return sort === "order" ? order : stock[sort];
}
