/**
 * Why an order is recommended, in one sentence: what one unit less and one unit more would change,
 * and what the next best order would cost if that is none of them.
 * The same text as `shortfall inventory order` (src/inventory/plan/order.cpp).
 * @param {Object} answer
 * @param {number} answer.order the recommended one
 * @param {number} answer.largest order that is possible
 * @param {Object[]} answer.choices by order: what to expect, value and extra; of all orders if the
 *   recommended one is 0, otherwise at least of it and its neighbours. The next best order is only
 *   named once all are known
 * @param {number} answer.margin values closer than this cannot be told apart
 * @param {"none"|"capacity"|"max_order"} answer.limit what rules out a larger order
 * @param {number} answer.capacity
 * @param {?string} answer.weekday null where days are alike
 * @param {(amount: number) => string} [money]
 * @returns {string}
 */
export function reason_for(answer, money = amount_text) {
  const { order, largest, limit, capacity, weekday } = answer;
  if (largest === 0) {
    if (limit === "capacity") return `Order nothing: the stock is at its capacity of ${capacity}.`;
    return weekday === null
      ? "Order nothing: this plan allows no orders."
      : `Order nothing: no orders are placed on a ${weekday}.`;
  }
  if (order === 0) return why_nothing(answer, money);
  const parts = [one_less(answer, money), one_more(answer, money), ...next_words(answer, money)];
  return `Order ${order}: ${parts.join("; ")}.`;
}

/**
 * The best of the other orders: of those that cannot be told apart, the closest to the recommended
 * one.
 * @param {Object} answer as in reason_for
 * @returns {?number} null if there is none, or as long as not all choices are known
 */
export function next_best({ order, largest, choices, margin }) {
  const others = choices.filter((choice) => choice !== undefined && choice.order !== order);
  if (others.length < largest || largest === 0) return null;
  const least = Math.min(...others.map(({ value }) => value));
  const best = others.filter(({ value }) => value <= least + margin).map((choice) => choice.order);
  return best.reduce((a, b) => (Math.abs(b - order) < Math.abs(a - order) ? b : a));
}

/** Only if it is not one unit more or less, of which there is something to say in any case. */
function next_words(answer, money) {
  const { order, choices, margin } = answer;
  const next = next_best(answer);
  if (next === null || Math.abs(next - order) === 1) return [];
  const words = next === 0 ? "no order" : `an order of ${next}`;
  if (choices[next].extra <= margin) {
    return [`${words} has the same risk-adjusted cost${to_within(choices[next].extra, margin)}`];
  }
  return [`next best is ${words}, which costs ${money(choices[next].extra)} more`];
}

function why_nothing(answer, money) {
  const { choices, margin } = answer;
  const best_other = choices[next_best(answer)];
  if (best_other.extra <= margin) {
    return (
      `Order nothing: an order of ${best_other.order} has the same risk-adjusted cost` +
      `${to_within(best_other.extra, margin)}.`
    );
  }
  const chance = percent_text(choices[0].chance_of_shortage);
  return (
    `Order nothing: the chance of running short today is ${chance}, and any order raises the ` +
    `risk-adjusted cost, the best one (${best_other.order}) by ${money(best_other.extra)}.`
  );
}

function one_less({ order, choices, margin }, money) {
  const less = choices[order - 1];
  const with_less = less.order === 0 ? "without an order" : `with ${less.order}`;
  if (less.extra <= margin) {
    return `${with_less} the risk-adjusted cost is the same${to_within(less.extra, margin)}`;
  }
  const before = percent_text(choices[order].chance_of_shortage);
  const after = percent_text(less.chance_of_shortage);
  if (before === after) return `${with_less} the risk-adjusted cost rises by ${money(less.extra)}`;
  return (
    `${with_less} the chance of running short today rises from ${before} to ${after} and the ` +
    `risk-adjusted cost by ${money(less.extra)}`
  );
}

function one_more({ order, choices, margin, limit, capacity }, money) {
  if (limit === "capacity") return `more does not fit into the capacity of ${capacity}`;
  if (limit === "max_order") return "it is the largest order of the day";
  const more = choices[order + 1];
  if (more.extra <= margin) {
    return `with ${more.order} the risk-adjusted cost is the same${to_within(more.extra, margin)}`;
  }
  const [now, then] = [choices[order], more].map((choice) => choice.expected_expired_in_all);
  const [before, after] = [amount_text(now), amount_text(then)];
  const more_expire = then > now && then >= 0.01 && before !== after;
  return (
    `with ${more.order} the risk-adjusted cost rises by ${money(more.extra)}` +
    (more_expire
      ? ` and the number of units expected to expire, if no more are ordered, from ${before} to ${after}`
      : "")
  );
}

/**
 * How equal two costs are that cannot be told apart, where values are coarse: in two digits,
 * rounded up.
 * @param {number} extra the difference as computed
 * @param {number} margin its error
 * @returns {string}
 */
export function to_within(extra, margin) {
  if (margin <= 1e-3) return "";
  const bound = Math.abs(extra) + margin;
  const unit = 10 ** (Math.floor(Math.log10(bound)) - 1);
  return ` to within ${Number((Math.ceil(bound / unit - 1e-9) * unit).toPrecision(2))}`;
}

/** As by hand from five decimals, as in order.cpp: 4.6249996 is 4.63. */
function rounded_text(value, digits) {
  const shown = Math.round(value * 1e5) / 1e5;
  const scale = 10 ** digits;
  return (Math.floor(shown * scale + 0.5 + 1e-6) / scale).toFixed(digits);
}

/**
 * Three digits, as people write them.
 * @param {number} value
 * @returns {string}
 */
export function amount_text(value) {
  if (value >= 99.95) return rounded_text(value, 0);
  if (value >= 9.995) return rounded_text(value, 1);
  if (value >= 0.9995) return rounded_text(value, 2);
  if (Math.abs(value) >= 0.000095 || value === 0) return String(Number(value.toPrecision(2)));
  const [digits, exponent] = value.toExponential(1).split("e-");
  return `${Number(digits)}e-${exponent.padStart(2, "0")}`;
}

/**
 * @param {number} probability
 * @returns {string}
 */
export function percent_text(probability) {
  const percent = 100 * probability;
  if (percent >= 9.95) return `${percent.toFixed(0)} %`;
  return percent >= 0.05 || percent === 0 ? `${percent.toFixed(1)} %` : "below 0.1 %";
}
