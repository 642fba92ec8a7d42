import { binomial, stock_count } from "../stock_rank.js";

/** The plan's laws and costs, by day, for questions about one stock. */
export class PlanModel {
  /** @param {Object} data the whole plan */
  constructor({ model, orders, demand, arrival }) {
    this.shelf_life = model.shelf_life;
    this.ages = orders.ages;
    this.capacity = model.capacity;
    this.days = model.days;
    this.gamma = model.gamma;
    this.stocks = stock_count(this.ages, this.capacity);
    this.costs = model.cost;
    this.max_order = model.max_order;
    this.demands = Array.from({ length: model.days }, (_, day) =>
      Float64Array.from(demand.filter((row) => row.day === day).map((row) => row.probability)),
    );
    this.arrivals = new Map();
    for (const row of arrival) {
      const key = `${row.day ?? "*"} ${row.order ?? "*"}`;
      if (!this.arrivals.has(key)) this.arrivals.set(key, []);
      this.arrivals.get(key).push(row.probability);
    }
    // terms[i][s]: what s units with up to i + 1 days left add to the number of a stock.
    this.terms = Array.from({ length: this.ages }, (_, i) =>
      Float64Array.from({ length: this.capacity + 1 }, (_, s) => binomial(s + i, i + 1)),
    );
  }

  demand(day) {
    return this.demands[day];
  }

  next_day(day) {
    return (day + 1) % this.days;
  }

  /** @returns {number} of "order", "unit", "holding", "shortage" or "wastage" */
  cost(day, name) {
    return of_day(this.costs[name], day);
  }

  order_cost(day, order) {
    return order > 0 ? this.cost(day, "order") + this.cost(day, "unit") * order : 0;
  }

  largest_order(day, total) {
    return Math.min(of_day(this.max_order, day), this.capacity - total);
  }

  /** @returns {number[]} the probabilities that a unit of an order has 1, 2, .. days left */
  arrival(day, order) {
    for (const key of [`${day} ${order}`, `${day} *`, `* ${order}`, "* *"]) {
      if (this.arrivals.has(key)) return this.arrivals.get(key);
    }
    throw new Error(`no shares for an order of ${order} on day ${day}`);
  }
}

function of_day(one_or_week, day) {
  return Array.isArray(one_or_week) ? one_or_week[day] : one_or_week;
}

/**
 * The values of all states, from five digits of base 64 each.
 * @param {{lowest: number, step: number, digits: string}} values
 * @returns {{at: (state: number) => number, error: number}}
 */
export function stock_values({ lowest, step, digits }) {
  const at = (state) => {
    let k = 0;
    for (let i = 5 * state; i < 5 * state + 5; ++i) k = 64 * k + digit(digits.charCodeAt(i));
    return lowest + step * k;
  };
  return { at, error: step / 2 };
}

function digit(code) {
  if (code >= 97) return code - 71; // a-z
  if (code >= 65) return code - 65; // A-Z
  if (code >= 48) return code + 4; // 0-9
  return code === 43 ? 62 : 63; // + and /
}
