/**
 * The numbering of stocks. A stock is x = (x_1, .., x_k), with x_i units that have i days left and
 * at most `capacity` units in total. With s_i = x_1 + .. + x_i,
 *
 *   rank(x) = sum over i of C(s_i + i - 1, i),
 *
 * which takes the values 0, 1, 2, .. as s_k, then s_(k-1), .., then s_1 grow. For k = 2, capacity 2:
 * (0,0), (0,1), (1,0), (0,2), (1,1), (2,0).
 */

/**
 * @param {number} n
 * @param {number} k
 * @returns {number} n choose k, exact below 2^53
 */
export function binomial(n, k) {
  if (k > n) return 0;
  let result = 1;
  for (let i = 1; i <= k; ++i) result = (result * (n - k + i)) / i;
  return Math.round(result);
}

/**
 * @param {number} ages
 * @param {number} capacity
 * @returns {number} the number of stocks
 */
export function stock_count(ages, capacity) {
  return binomial(capacity + ages, ages);
}

/**
 * @param {number[]} stock units by days left
 * @returns {number}
 */
export function rank(stock) {
  let sum = 0;
  let result = 0;
  stock.forEach((units, index) => {
    sum += units;
    result += binomial(sum + index, index + 1);
  });
  return result;
}

/**
 * Calls `visit(stock, total, number)` for every stock, in the order of the numbers. The array is
 * reused: copy it to keep it.
 * @param {number} ages
 * @param {number} capacity
 * @param {(stock: Int32Array, total: number, number: number) => void} visit
 */
export function each_stock(ages, capacity, visit) {
  const stock = new Int32Array(ages);
  let total = 0;
  for (let number = 0; ; ++number) {
    visit(stock, total, number);
    // Next stock: increment the first sum that can grow and reset all sums before it to 0. Sum i
    // can grow if x_(i+1) > 0.
    let i = 0;
    while (i + 1 < ages && stock[i + 1] === 0) ++i;
    if (i + 1 >= ages) {
      if (ages === 0 || total === capacity) return;
      stock.fill(0);
      stock[ages - 1] = ++total;
      continue;
    }
    let below = 0;
    for (let j = 0; j <= i; ++j) {
      below += stock[j];
      stock[j] = 0;
    }
    stock[i] = below + 1;
    --stock[i + 1];
  }
}

/**
 * The orders of a plan, by stock.
 * @param {{ages: number, capacity: number, days: number, digits: string}} orders one or two
 *   base-36 characters per state; a state is a day and a stock
 * @returns {{stocks: number, order: (day: number, number: number) => number,
 *            order_for: (day: number, stock: number[]) => number}}
 */
export function order_book(orders) {
  const stocks = stock_count(orders.ages, orders.capacity);
  const width = orders.digits.length / (stocks * orders.days);
  if (width !== 1 && width !== 2)
    throw new Error("the number of orders does not match the number of stocks");
  const order = (day, number) => {
    const at = (day * stocks + number) * width;
    return parseInt(orders.digits.slice(at, at + width), 36);
  };
  return { stocks, order, order_for: (day, stock) => order(day, rank(stock)) };
}
