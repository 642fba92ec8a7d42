import { shortfall_risk } from "./losses.js";

/**
 * The risk-adjusted cost of one order today followed by optimal ones: every delivery and every
 * demand of this one stock, as in src/inventory/plan/order_values.cpp.
 */
export class OrderValues {
  /**
   * @param {import("./plan_model.js").PlanModel} model
   * @param {Object} loss of parse_loss
   * @param {{at: (state: number) => number}} values of all states
   */
  constructor(model, loss, values) {
    Object.assign(this, { model, loss });
    this.value_at = values.at;
    this.left = new Float64Array(model.stocks);
    this.up_to = new Int32Array(model.ages);
    this.atoms = new Float64Array(1024);
    this.weights = new Float64Array(1024);
  }

  /**
   * @param {number[]} stock
   * @param {number} day
   * @param {number} order
   * @returns {number}
   */
  value(stock, day, order) {
    const { model } = this;
    const total = sum(stock) + order;
    const first = model.next_day(day) * model.stocks;
    const base = model.gamma * this.value_at(first);
    const [holding, shortage, wastage] = ["holding", "shortage", "wastage"].map((name) =>
      model.cost(day, name),
    );
    const demand = model.demand(day);
    const today = { stock, day, order, total, first, base, holding, shortage, wastage, demand };
    const law = this.law(today);
    return base + model.order_cost(day, order) + shortfall_risk(this.loss, law);
  }

  /** The law of this period's cost, without that of the order, and of what follows above base. */
  law(today) {
    const { model } = this;
    const { demand } = today;
    this.count = 0;
    for (let d = today.total; d < demand.length; ++d) this.add(this.cost(today, 0, d), demand[d]);
    const placed = [...today.stock, 0];
    const shares = today.order > 0 ? model.arrival(today.day, today.order) : [];
    this.binomials = nested_binomials(shares, today.order);
    this.place(today, placed, model.shelf_life - 1, today.order, 1);
    this.add_left(today);
    const whole = sum_of(this.weights, this.count);
    for (let i = 0; i < this.count; ++i) this.weights[i] /= whole;
    return this;
  }

  cost({ total, holding, shortage, wastage }, expiring, d) {
    return (
      (total > d ? holding * (total - d) : shortage * (d - total)) +
      (expiring > d ? wastage * (expiring - d) : 0)
    );
  }

  later({ first, base }, number) {
    return this.model.gamma * this.value_at(first + number) - base;
  }

  add(atom, weight) {
    if (weight === 0) return;
    if (this.count === this.atoms.length) {
      this.atoms = doubled(this.atoms);
      this.weights = doubled(this.weights);
    }
    this.atoms[this.count] = atom;
    this.weights[this.count++] = weight;
  }

  /** Places the units that have at most i + 1 days left, in all ways. */
  place(today, placed, i, units, weight) {
    if (weight === 0) return;
    if (i === 0 || units === 0) {
      placed[0] += units;
      this.deliver(today, placed, weight);
      placed[0] -= units;
      return;
    }
    const law = this.binomials[i][units];
    for (let k = 0; k <= units; ++k) {
      placed[i] += k;
      this.place(today, placed, i - 1, units - k, weight * law[k]);
      placed[i] -= k;
    }
  }

  /** The demands that leave something. */
  deliver(today, placed, weight) {
    const { up_to, left } = this;
    const { terms, ages } = this.model;
    const { demand } = today;
    const demands = Math.min(today.total, demand.length);
    let fresher = 0;
    let untouched = 0;
    for (let i = 0; i < ages; ++i) {
      fresher += placed[i + 1];
      up_to[i] = fresher;
      untouched += terms[i][fresher];
    }
    const oldest = placed[0];
    for (let d = 0; d < oldest && d < demands; ++d) {
      this.add(this.cost(today, oldest, d) + this.later(today, untouched), weight * demand[d]);
    }
    for (let d = oldest; d < demands; ++d) {
      let number = 0;
      // The ages that demand leaves nothing of add nothing.
      for (let i = ages - 1; i >= 0 && up_to[i] > d - oldest; --i) {
        number += terms[i][up_to[i] - d + oldest];
      }
      left[number] += weight * demand[d];
    }
  }

  /** Adds the law of what is left where nothing expires, and clears it. */
  add_left(today) {
    const { ages, terms } = this.model;
    if (ages === 0) return;
    const last = terms[ages - 1];
    for (let units = 1; units <= today.total; ++units) {
      const holding = this.cost(today, 0, today.total - units);
      const end = units + 1 < last.length ? last[units + 1] : this.model.stocks;
      for (let number = last[units]; number < end; ++number) {
        if (this.left[number] > 0) this.add(holding + this.later(today, number), this.left[number]);
        this.left[number] = 0;
      }
    }
  }
}

/** By age index i and number of units r: the law of those with i + 1 days left, of r with at most. */
function nested_binomials(shares, most) {
  let below = 0;
  return shares.map((share) => {
    below += share;
    const p = below > 0 ? share / below : 0;
    const laws = [[1]];
    for (let r = 1; r <= most; ++r) laws.push(one_more(laws[r - 1], p));
    return laws;
  });
}

/** The law of a sum with one more unit, which counts with probability p. */
export function one_more(law, p) {
  const next = [...law, 0].map((weight) => weight * (1 - p));
  law.forEach((weight, k) => (next[k + 1] += weight * p));
  return next;
}

function doubled(numbers) {
  const larger = new Float64Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

function sum_of(numbers, count) {
  let total = 0;
  for (let i = 0; i < count; ++i) total += numbers[i];
  return total;
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
