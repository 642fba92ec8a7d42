import assert from "node:assert/strict";
import { test } from "node:test";
import { search_stocks } from "../src/plan/stock_search.js";
import { binomial, each_stock, order_book, rank, stock_count } from "../src/stock_rank.js";
import { plan_data } from "./fixture.mjs";

/** All stocks in no particular order, by recursion. */
function all_stocks(ages, capacity) {
  if (ages === 0) return [[]];
  return all_stocks(ages - 1, capacity).flatMap((rest) => {
    const room = capacity - rest.reduce((sum, units) => sum + units, 0);
    return Array.from({ length: room + 1 }, (_, units) => [...rest, units]);
  });
}

const SHAPES = [
  [0, 5],
  [1, 0],
  [1, 7],
  [2, 6],
  [3, 5],
  [4, 4],
  [7, 3],
];

test("binomials satisfy Pascal's rule", () => {
  for (let n = 1; n <= 40; ++n) {
    for (let k = 1; k <= n; ++k)
      assert.equal(binomial(n, k), binomial(n - 1, k - 1) + binomial(n - 1, k));
  }
  assert.equal(binomial(3, 4), 0);
});

test("the number of stocks is right for the shelf lives in the paper", () => {
  assert.equal(stock_count(2, 20), 231);
  assert.equal(stock_count(4, 20), 10626);
  assert.equal(stock_count(7, 20), 888030);
});

test("rank numbers the stocks 0, 1, 2, .. by total, then by their partial sums", () => {
  const by_sums = (a, b) => {
    const sums = (stock) =>
      stock.map((_, i) => stock.slice(0, i + 1).reduce((sum, units) => sum + units, 0));
    const [p, q] = [sums(a), sums(b)];
    for (let i = a.length - 1; i >= 0; --i) if (p[i] !== q[i]) return p[i] - q[i];
    return 0;
  };
  for (const [ages, capacity] of SHAPES) {
    const stocks = all_stocks(ages, capacity).sort(by_sums);
    assert.equal(stocks.length, stock_count(ages, capacity));
    stocks.forEach((stock, number) => assert.equal(rank(stock), number));
  }
});

test("each_stock visits every stock once, in the order of the numbers, with its total", () => {
  for (const [ages, capacity] of SHAPES) {
    const seen = new Set();
    each_stock(ages, capacity, (stock, total, number) => {
      assert.equal(number, seen.size);
      assert.equal(rank([...stock]), number);
      assert.equal(
        total,
        stock.reduce((sum, units) => sum + units, 0),
      );
      seen.add(stock.join());
    });
    assert.equal(seen.size, stock_count(ages, capacity));
  }
});

test("the order book reads one digit, two digits and days", () => {
  const one = order_book({ ages: 1, capacity: 2, days: 2, digits: "a10z05" });
  assert.deepEqual(
    [0, 1, 2].map((units) => one.order_for(0, [units])),
    [10, 1, 0],
  );
  assert.deepEqual(
    [0, 1, 2].map((units) => one.order_for(1, [units])),
    [35, 0, 5],
  );
  const two = order_book({ ages: 1, capacity: 2, days: 1, digits: "100001" });
  assert.deepEqual(
    [0, 1, 2].map((units) => two.order_for(0, [units])),
    [36, 0, 1],
  );
  assert.equal(order_book({ ages: 0, capacity: 9, days: 1, digits: "7" }).order_for(0, []), 7);
  assert.throws(() => order_book({ ages: 1, capacity: 2, days: 1, digits: "12" }));
});

test("a search finds the same stocks as a linear search", () => {
  const { orders } = plan_data({ shelf_life: 4, capacity: 9, days: 7 });
  const book = order_book(orders);
  const any = {
    day: 2,
    units: [null, null, null],
    total: null,
    order: null,
    sort: "total",
    descending: false,
    limit: 30,
  };
  const queries = [
    any,
    { ...any, total: 4, sort: 1, descending: true },
    { ...any, units: [1, null, 2], sort: "order" },
    { ...any, order: 3, sort: 0, limit: 5 },
    { ...any, units: [9, 9, null] },
  ];
  for (const query of queries) {
    const rows = all_stocks(3, 9)
      .sort((a, b) => rank(a) - rank(b))
      .map((stock) => ({
        stock,
        total: stock.reduce((a, b) => a + b),
        order: book.order_for(query.day, stock),
      }))
      .filter(
        ({ stock, total, order }) =>
          query.units.every((units, i) => units === null || units === stock[i]) &&
          (query.total === null || total === query.total) &&
          (query.order === null || order === query.order),
      );
    const key = (row) => (typeof query.sort === "number" ? row.stock[query.sort] : row[query.sort]);
    rows.sort((a, b) => (query.descending ? key(b) - key(a) : key(a) - key(b)));
    const { matches, found } = search_stocks(orders, book, query);
    assert.equal(matches, rows.length);
    assert.deepEqual(found, rows.slice(0, query.limit));
  }
});
