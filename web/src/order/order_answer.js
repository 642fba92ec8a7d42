import { rank } from "../stock_rank.js";
import { expectations } from "./expectations.js";
import { parse_loss } from "./losses.js";
import { OrderValues } from "./order_values.js";
import { PlanModel, stock_values } from "./plan_model.js";

/** Orders on each side of the recommended one that are computed if there are no values to compare. */
const AROUND = 6;

/**
 * Answers for today's stock: what every order would cost and bring, and why.
 *
 * This folder is a twin of the C++ behind `shortfall inventory order`, so that a page answers
 * offline. The same mathematics is written twice on purpose, and a change to one is a change to both:
 *
 *   order_answer.js, reason.js   src/inventory/plan/order.cpp
 *   order_values.js              src/inventory/plan/order_values.cpp
 *   expectations.js              src/inventory/plan/order.cpp, order_values.cpp
 *   losses.js                    include/shortfall/risk
 *   plan_model.js                include/shortfall/inventory/model/model.hpp
 *
 * tests/answers.mjs compares the two for thousands of stocks: orders and reasons are equal, what to
 * expect differs by rounding alone, and values by no more than their certified bounds and the
 * rounding of the values in the page.
 */
export class OrderAnswers {
  /**
   * @param {Object} data the whole plan
   * @param {ReturnType<import("../stock_rank.js").order_book>} book
   */
  constructor(data, book) {
    this.model = new PlanModel(data);
    this.book = book;
    const loss = parse_loss(data.model.loss);
    const values = data.values && loss ? stock_values(data.values) : null;
    this.values = values ? new OrderValues(this.model, loss, values) : null;
    // Twice the error: two values closer than that cannot be told apart.
    const error = data.model.gamma * (data.recommendation.error_bound + (values?.error ?? 0));
    this.margin = 2 * error + 1e-10 * Math.abs(data.recommendation.value_at_empty);
  }

  /** Whether the page has the values of stocks. */
  has_values() {
    return this.values !== null;
  }

  largest(stock, day) {
    return this.model.largest_order(day, total_of(stock));
  }

  recommended(stock, day) {
    return this.book.order(day, rank(stock));
  }

  limit(stock, day, order) {
    if (order < this.largest(stock, day)) return "none";
    return total_of(stock) + order === this.model.capacity ? "capacity" : "max_order";
  }

  /**
   * One choice after another, so that the caller can pause in between; the recommended order first,
   * then by distance. All orders, because the next best may be any, or those around the
   * recommended one if the page has no values.
   * @param {number[]} stock
   * @param {number} day
   * @param {number[]} also orders that are wanted in any case
   * @returns {Generator<Object>}
   */
  *choices(stock, day, also = []) {
    const order = this.recommended(stock, day);
    const largest = this.largest(stock, day);
    const wanted = Array.from({ length: largest + 1 }, (_, z) => z).filter(
      (z) => this.values || order === 0 || z === 0 || Math.abs(z - order) <= AROUND || also.includes(z),
    );
    wanted.sort((a, b) => Math.abs(a - order) - Math.abs(b - order) || a - b);
    let best = null;
    for (const z of wanted) {
      const value = this.values ? this.values.value(stock, day, z) : null;
      best ??= value;
      const extra = value === null ? null : value - best;
      yield { ...expectations(this.model, stock, day, z), value, extra };
    }
  }
}

function total_of(stock) {
  return stock.reduce((sum, units) => sum + units, 0);
}
