import { one_more } from "./order_values.js";

/**
 * What to expect of this period with an order, in units and money.
 * @param {import("./plan_model.js").PlanModel} model
 * @param {number[]} stock
 * @param {number} day
 * @param {number} order
 */
export function expectations(model, stock, day, order) {
  const demand = model.demand(day);
  const total = stock.reduce((sum, units) => sum + units, 0) + order;
  let [chance_of_shortage, expected_short] = [0, 0];
  for (let d = total + 1; d < demand.length; ++d) {
    chance_of_shortage += demand[d];
    expected_short += (d - total) * demand[d];
  }
  const expected_left = above_demand(total, demand);
  const expected_expired = expired_today(model, stock, day, order);
  return {
    order,
    chance_of_shortage,
    expected_short,
    expected_left,
    expected_expired,
    expected_expired_in_all: expired_in_all(model, stock, day, order),
    expected_cost:
      model.order_cost(day, order) +
      model.cost(day, "holding") * expected_left +
      model.cost(day, "shortage") * expected_short +
      model.cost(day, "wastage") * expected_expired,
  };
}

/** E (units - demand)⁺ */
function above_demand(units, demand) {
  let sum = 0;
  for (let d = 0; d < Math.min(units, demand.length); ++d) sum += (units - d) * demand[d];
  return sum;
}

function expired_today(model, stock, day, order) {
  const p = order > 0 ? model.arrival(day, order)[0] : 0;
  let oldest = [1];
  for (let unit = 0; unit < order; ++unit) oldest = one_more(oldest, p);
  return oldest.reduce(
    (sum, weight, k) => sum + weight * above_demand((stock[0] ?? 0) + k, model.demand(day)),
    0,
  );
}

/**
 * The units of the stock and the order that expire, today or later, if nothing more is ordered. The
 * k-th day ends with at least A_k units gone, those that had at most k days left:
 * gone_k = max(gone_(k-1) + demand_k, A_k), and the excess of A_k is what expires. The law of
 * (units of the order with at most k days left, gone) is all that matters.
 */
function expired_in_all(model, stock, day, order) {
  const shares = order > 0 ? model.arrival(day, order) : [];
  const total = stock.reduce((sum, units) => sum + units, 0) + order;
  let law = Array.from({ length: order + 1 }, () => new Float64Array(total + 1));
  law[0][0] = 1;
  let [expired, due, fresher] = [0, 0, 1];
  for (let k = 0; k < model.shelf_life; ++k) {
    due += stock[k] ?? 0;
    const is_last = k === model.shelf_life - 1;
    law = grown(law, is_last ? 1 : fresher > 0 ? Math.min(1, (shares[k] ?? 0) / fresher) : 0);
    fresher -= shares[k] ?? 0;
    const demand = model.demand((day + k) % model.days);
    law = law.map((gone, units) => {
      const after = new Float64Array(total + 1);
      gone.forEach((weight, before) => {
        if (weight === 0) return;
        demand.forEach((probability, d) => {
          const used = Math.min(before + d, total);
          expired += weight * probability * Math.max(0, due + units - used);
          after[Math.max(used, due + units)] += weight * probability;
        });
      });
      return after;
    });
  }
  return expired;
}

/** Each unit of the order that is fresher is now due with probability p. */
function grown(law, p) {
  const most = law.length - 1;
  const result = law.map((gone) => new Float64Array(gone.length));
  for (let units = 0; units <= most; ++units) {
    if (law[units].every((weight) => weight === 0)) continue;
    let more = [1];
    for (let unit = units; unit < most; ++unit) more = one_more(more, p);
    more.forEach((chance, k) => {
      if (chance === 0) return;
      law[units].forEach((weight, gone) => (result[units + k][gone] += chance * weight));
    });
  }
  return result;
}
