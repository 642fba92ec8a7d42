import assert from "node:assert/strict";
import { test } from "node:test";
import { expectations } from "../src/order/expectations.js";
import { parse_loss, shortfall_risk } from "../src/order/losses.js";
import { OrderValues } from "../src/order/order_values.js";
import { PlanModel, stock_values } from "../src/order/plan_model.js";
import { amount_text, next_best, percent_text, reason_for } from "../src/order/reason.js";
import { choices_near } from "../src/plan/answer.js";
import { heat_cells } from "../src/plan/orders_by_stock.js";
import { order_book, rank } from "../src/stock_rank.js";
import { plan_data } from "./fixture.mjs";

function risk(loss, atoms, weights = atoms.map(() => 1 / atoms.length)) {
  const law = {
    atoms: Float64Array.from(atoms),
    weights: Float64Array.from(weights),
    count: atoms.length,
  };
  return shortfall_risk(parse_loss(loss), law);
}

const near = (a, b, tolerance = 1e-12) =>
  assert.ok(Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(b)), `${a}, not ${b}`);

test("shortfall risks with known answers", () => {
  near(risk("mean", [1, 2, 6]), 3);
  near(risk("expectile:0.25", [1, 2, 3, 4, 5]), 7 / 3);
  near(risk("expectile:0.5", [1, 2, 6]), 3);
  near(risk("entropic:1", [0, 1]), Math.log((1 + Math.E) / 2));
  // On [-b, b] it is the entropic loss itself; far outside it is an expectile of its end slopes.
  near(risk("truncated-entropic:1,5", [0, 1]), Math.log((1 + Math.E) / 2));
  near(risk("soft-quantile:0.8,1", [1, 2, 6]), risk("expectile:0.8", [1, 2, 6]));
  near(risk("piecewise:-1:-0.2,0:0,1:0.8", [1, 2, 6]), risk("expectile:0.8", [1, 2, 6]));
  // 0.5 (m - 0) = (2 - m) + the kink at 1: (10 - m - 1) · 3 + 1 beyond it.
  const m = risk("piecewise:-1:-0.5,0:0,1:1,2:4", [0, 10], [0.9, 0.1]);
  near(0.9 * 0.5 * m, 0.1 * (1 + 3 * (10 - m - 1)));
  const q = risk("soft-quantile:0.7,0.5", [0, 1, 4]);
  const loss = (x) => {
    const [mu, k] = [0.7, 0.5];
    if (x < -k) return (1 - mu) * (k * x + k * k - 1);
    if (x < 0) return ((1 - mu) * x) / k;
    return x < k ? (mu * x) / k : mu * (k * x - k * k + 1);
  };
  near(loss(0 - q) + loss(1 - q) + loss(4 - q), 0);
  assert.equal(parse_loss("custom"), null);
});

test("values come in five digits of base 64", () => {
  const values = stock_values({ lowest: 2, step: 0.5, digits: "AAAAAAAAAB/////AAABA" });
  assert.deepEqual([0, 1, 2, 3].map(values.at), [2, 2.5, 2 + 0.5 * (2 ** 30 - 1), 34]);
  assert.equal(values.error, 0.25);
});

/** Every way in which units arrive and days pass, one by one. */
function by_listing(model, stock, day, order) {
  const shares = order > 0 ? model.arrival(day, order) : [];
  const result = { expired: 0, expired_today: 0, law: [] };
  const pass = (w, today, weight, expired, nights) => {
    if (nights === model.shelf_life) {
      result.expired += weight * expired;
      return;
    }
    model.demand(today).forEach((probability, d) => {
      let unmet = d;
      const left = w.map((units) => {
        const used = Math.min(unmet, units);
        unmet -= used;
        return units - used;
      });
      const chance = weight * probability;
      if (nights === 0) {
        result.expired_today += chance * left[0];
        result.law.push({ chance, d, left });
      }
      pass([...left.slice(1), 0], (today + 1) % model.days, chance, expired + left[0], nights + 1);
    });
  };
  const arrive = (w, units, weight) => {
    if (weight === 0) return;
    if (units === 0) {
      pass(w, day, weight, 0, 0);
      return;
    }
    shares.forEach((share, i) => {
      const more = [...w];
      ++more[i];
      arrive(more, units - 1, weight * share);
    });
  };
  arrive([...stock, 0], order, 1);
  return result;
}

const DATA = plan_data({
  shelf_life: 3,
  capacity: 5,
  days: 7,
  deliveries: ["day", "order"],
  price: 2,
});
const MODEL = new PlanModel(DATA);

test("what to expect of an order equals a sum over all deliveries and demands", () => {
  for (const [stock, day, order] of [
    [[0, 0], 0, 3],
    [[2, 1], 4, 2],
    [[1, 0], 5, 4],
    [[3, 2], 2, 0],
  ]) {
    const wanted = by_listing(MODEL, stock, day, order);
    const found = expectations(MODEL, stock, day, order);
    near(found.expected_expired, wanted.expired_today);
    near(found.expected_expired_in_all, wanted.expired);
  }
});

test("the value of an order equals the risk of all deliveries and demands", () => {
  const values = stock_values(DATA.values);
  for (const loss of ["expectile:0.9", "entropic:0.2", "mean"]) {
    const found = new OrderValues(MODEL, parse_loss(loss), values);
    for (const [stock, day, order] of [
      [[0, 0], 6, 4],
      [[2, 1], 3, 2],
      [[0, 5], 1, 0],
    ]) {
      const total = stock[0] + stock[1] + order;
      const { law } = by_listing(MODEL, stock, day, order);
      const cost = ({ d, left }) =>
        (order > 0 ? DATA.model.cost.order + 2 * order : 0) +
        1 * left.reduce((a, b) => a + b) +
        20 * Math.max(0, d - total) +
        5 * left[0] +
        0.6 * values.at(((day + 1) % 7) * MODEL.stocks + rank(left.slice(1)));
      const listed = risk(
        loss,
        law.map(cost),
        law.map(({ chance }) => chance),
      );
      near(found.value(stock, day, order), listed, 1e-10);
    }
  }
});

test("the reason says what one unit less and one unit more would change", () => {
  const choice = (order, extra, chance = 0.1, expired = 0.1) => ({
    order,
    value: 50 + extra,
    extra,
    chance_of_shortage: chance,
    expected_expired_in_all: expired,
  });
  const answer = {
    order: 1,
    largest: 2,
    limit: "none",
    capacity: 9,
    weekday: null,
    margin: 1e-6,
    choices: [choice(0, 12.34, 0.3, 0), choice(1, 0, 0.02, 0.1), choice(2, 0.5, 0.01, 0.4)],
  };
  assert.equal(
    reason_for(answer),
    "Order 1: without an order the chance of running short today rises from 2.0 % to 30 % and the " +
      "risk-adjusted cost by 12.3; with 2 the risk-adjusted cost rises by 0.5 and the number of " +
      "units expected to expire, if no more are ordered, from 0.1 to 0.4.",
  );
  const far = {
    ...answer,
    order: 3,
    largest: 4,
    choices: [choice(0, 0.2), choice(1, 5), choice(2, 2), choice(3, 0), choice(4, 1)],
  };
  assert.equal(next_best(far), 0);
  assert.match(reason_for(far), /; next best is no order, which costs 0.2 more\.$/);
  assert.match(
    reason_for({ ...far, margin: 0.5 }),
    /; no order has the same risk-adjusted cost to within 0\.7\.$/,
  );
  assert.deepEqual(
    choices_near({ ...far, own: [] }, 1).map(({ order }) => order),
    [0, 2, 3, 4],
  );
  const above = { ...far, order: 1, choices: [5, 0, 3, 2, 1].map((extra, z) => choice(z, extra)) };
  assert.match(reason_for(above), /; next best is an order of 4, which costs 1.00 more\.$/);
  assert.deepEqual(
    choices_near({ ...above, own: [] }, 1).map(({ order }) => order),
    [0, 1, 2, 4],
  );
  // As long as not all orders are known, the next best is not, either.
  delete far.choices[1];
  assert.equal(next_best(far), null);
  assert.doesNotMatch(reason_for(far), /next best/);
  assert.match(reason_for({ ...answer, limit: "capacity" }), /does not fit into the capacity of 9/);
  assert.match(reason_for({ ...answer, limit: "max_order" }), /largest order of the day/);
  assert.match(
    reason_for({ ...answer, margin: 1 }),
    /with 2 the risk-adjusted cost is the same to within 1\.\d/,
  );
  assert.match(
    reason_for({
      ...answer,
      order: 0,
      largest: 1,
      choices: [choice(0, 0, 0.0001, 0), choice(1, 3, 0, 0)],
    }),
    /^Order nothing: the chance of running short today is below 0.1 %, .* the best one \(1\) by 3.00/,
  );
  const closed = { ...answer, order: 0, largest: 0, weekday: "Sunday" };
  assert.equal(reason_for(closed), "Order nothing: no orders are placed on a Sunday.");
  assert.match(reason_for({ ...closed, limit: "capacity" }), /at its capacity of 9/);
});

test("amounts have three digits, and percentages one below ten", () => {
  const texts = [1234.5, 12.345, 1.2345, 0.12345, 0.5, 0.00002, 0].map(amount_text);
  assert.deepEqual(texts, ["1235", "12.3", "1.23", "0.12", "0.5", "2e-05", "0"]);
  // As by hand from the five decimals of the command: 4.62500, 4.62500, 4.62499, 1.00500.
  const halves = [4.6249996, 4.6250004, 4.62499, 1.005, 12.35, 100.5].map(amount_text);
  assert.deepEqual(halves, ["4.63", "4.63", "4.62", "1.01", "12.4", "101"]);
  assert.deepEqual([0.5, 0.0123, 0.0001, 0].map(percent_text), [
    "50 %",
    "1.2 %",
    "below 0.1 %",
    "0.0 %",
  ]);
});

test("cells of the map have the range and the average of orders", () => {
  const orders = { ages: 3, capacity: 2, days: 1, digits: "9876543210" };
  const cells = heat_cells(orders, order_book(orders), 0);
  const cell = (total, oldest) => cells.find((c) => c.total === total && c.oldest === oldest);
  assert.equal(cells.length, 6);
  assert.deepEqual(cell(0, 0), { total: 0, oldest: 0, least: 9, most: 9, average: 9 });
  // (0,0,1) and (0,1,0) are the numbers 1 and 2.
  assert.deepEqual(cell(1, 0), { total: 1, oldest: 0, least: 7, most: 8, average: 7.5 });
  assert.deepEqual(cell(2, 2), { total: 2, oldest: 2, least: 0, most: 0, average: 0 });
});
