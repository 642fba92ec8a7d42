import assert from "node:assert/strict";
import { test } from "node:test";
import { contrast, ink_on, mix } from "../src/colour.js";
import { to_csv } from "../src/csv.js";
import {
  bound,
  certain,
  count,
  duration,
  fixed,
  listed,
  percent,
  plain,
  plural,
  signed,
  significant,
} from "../src/format.js";
import { sorted } from "../src/sorting.js";
import { units_ordered_per_period } from "../src/plan/comparison.js";
import { largest_order } from "../src/plan/assumptions.js";
import { address_of, read_address } from "../src/plan/address.js";
import { caution_sentence, dominating_level } from "../src/plan/caution.js";
import { attitude, policy_name } from "../src/plan/labels.js";
import { money_in } from "../src/plan/money.js";
import { money_of } from "../src/plan/placeholders.js";
import { rule_text, shortage_formats } from "../src/plan/records.js";
import { recorded_sentence, why_different } from "../src/plan/savings.js";
import { read_stock } from "../src/plan/today.js";
import { guarantee_text, panel_data } from "../src/study/curves.js";

test("the largest order in words, with closed days", () => {
  assert.equal(largest_order(20), "the largest order is 20");
  assert.equal(
    largest_order([20, 20, 20, 20, 20, 0, 0]),
    "the largest order is 20, and none can be placed on Saturday and Sunday",
  );
  assert.equal(
    largest_order([20, 20, 20, 20, 20, 12, 0]),
    "the largest order is 12 to 20, by weekday, and none can be placed on Sunday",
  );
});

test("numbers have a true minus sign, thin spaces and a dash for a missing value", () => {
  assert.equal(fixed(-1.256, 2), "−1.26");
  assert.equal(fixed(-0.001, 2), "0.00");
  assert.equal(fixed(null, 2), "–");
  assert.equal(fixed(Infinity, 2), "–");
  assert.equal(count(888030), "888\u202f030");
  assert.equal(fixed(1234.5678, 3), "1\u202f234.568");
  assert.equal(signed(0.5, 1), "+0.5");
  assert.equal(signed(-0.5, 1), "−0.5");
  assert.equal(signed(0.001, 2), "0.00");
  assert.equal(percent(0.9731, 1), "97.3\u202f%");
  assert.equal(percent(null, 1), "–");
});

test("significant digits", () => {
  assert.equal(significant(0.00012345, 3), "0.000123");
  assert.equal(significant(1.7e-8, 2), "1.7e−8");
  assert.equal(significant(0, 2), "0");
  assert.equal(significant(123456, 2), "123\u202f456");
  assert.equal(significant(2.5e9, 2), "2.5e9");
});

test("bounds are rounded up, and so are those of values that are printed", () => {
  assert.equal(bound(0.43186), "0.44");
  assert.equal(bound(1e-6), "1.0e−6");
  assert.equal(bound(1.0000001e-6), "1.1e−6");
  assert.equal(bound(130.2), "140");
  assert.equal(bound(0), "0");
  assert.equal(bound(null), "–");
  assert.deepEqual(certain(53.18516, 0.43186, 7), ["53.2", "0.45"]);
  assert.deepEqual(certain(1234567.8, 4300, 7), ["1\u202f235\u202f000", "4\u202f800"]);
  const number = (text) => Number(text.replaceAll("−", "-").replaceAll("\u202f", ""));
  let state = 1;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  for (let k = 0; k < 2000; ++k) {
    const [value, error] = [10 ** (12 * random() - 4), 10 ** (12 * random() - 9)];
    const [shown, allowed] = certain(value, error, 1 + (k % 12)).map(number);
    assert.ok(Math.abs(shown - value) + error <= allowed * (1 + 1e-15), `${value} ${error}`);
    assert.ok(number(bound(error)) >= error);
  }
});

test("plain numbers have no trailing zeros but keep significant ones", () => {
  assert.equal(plain(10, 4), "10");
  assert.equal(plain(100, 2), "100");
  assert.equal(plain(2.5, 4), "2.5");
  assert.equal(plain(0, 4), "0");
  assert.equal(plain(1.05, 4), "1.05");
  assert.equal(plain(null, 4), "–");
});

test("durations have a readable unit, on both sides of each threshold", () => {
  assert.equal(duration(0.00042), "0.42\u202fms");
  assert.equal(duration(0.099), "99\u202fms");
  assert.equal(duration(0.1), "0.100\u202fs");
  assert.equal(duration(5.74), "5.74\u202fs");
  assert.equal(duration(99.9), "99.9\u202fs");
  assert.equal(duration(120), "2.0\u202fmin");
  assert.equal(duration(3600), "60\u202fmin");
  assert.equal(duration(50400), "14\u202fh");
});

test("plurals, lists and attitudes to risk", () => {
  assert.equal(plural(1, "unit"), "1 unit");
  assert.equal(plural(2, "unit"), "2 units");
  assert.equal(listed(["a"]), "a");
  assert.equal(listed(["a", "b", "c"]), "a, b and c");
  const clause = (kind, weight_ratio = null) =>
    attitude({ kind, weight_ratio }, "soft-quantile:0.8,2");
  assert.match(clause("averse", 9), /^cautious: .* 9 times/);
  assert.match(clause("averse", 1.5), /1\.5 times/);
  assert.match(clause("seeking", 9), /^risk-seeking: .* 9 times/);
  assert.match(clause("neutral"), /average/);
  assert.match(clause("averse"), /^cautious: the further/);
  assert.match(clause("other"), /soft-quantile:0\.8,2/);
});

test("CSV quotes fields where needed and writes null as an empty field", () => {
  const rows = [
    { cost: "(10,1,20,5)", value: 1.5, note: 'a "b"', is_there: true },
    { cost: "plain", value: null, note: "", is_there: false },
  ];
  assert.equal(
    to_csv(rows),
    'cost,value,note,is_there\r\n"(10,1,20,5)",1.5,"a ""b""",true\r\nplain,,,false\r\n',
  );
  assert.equal(to_csv([]), "");
});

test("sorting: numbers by size, text by embedded numbers, missing values last in both directions", () => {
  const rows = [10, null, 9, -1].map((value) => ({ value }));
  const values = (descending) =>
    sorted(rows, (row) => row.value, descending).map((row) => row.value);
  assert.deepEqual(values(false), [-1, 9, 10, null]);
  assert.deepEqual(values(true), [10, 9, -1, null]);
  const costs = ["(50,1,20,5)", "(10,1,20,20)", "(10,1,20,5)"];
  assert.deepEqual(
    sorted(costs, (cost) => cost, false),
    ["(10,1,20,5)", "(10,1,20,20)", "(50,1,20,5)"],
  );
  const booleans = [true, null, false].map((value) => ({ value }));
  assert.deepEqual(
    sorted(booleans, (row) => row.value, false).map((row) => row.value),
    [false, true, null],
  );
});

test("sorting is stable and does not modify its argument", () => {
  const rows = [
    { a: 1, b: "x" },
    { a: 0, b: "y" },
    { a: 1, b: "z" },
  ];
  assert.deepEqual(
    sorted(rows, (row) => row.a, true).map((row) => row.b),
    ["x", "z", "y"],
  );
  assert.equal(rows[0].b, "x");
});

test("black or white is readable on every colour of a ramp", () => {
  for (const ramp of [
    ["#dcebf5", "#0b3c66"],
    ["#26394a", "#a5d8ff"],
  ]) {
    for (let i = 0; i <= 100; ++i) {
      const rgb = mix(ramp, i / 100);
      const ink = ink_on(rgb) === "#000000" ? [0, 0, 0] : [255, 255, 255];
      assert.ok(contrast(rgb, ink) >= 4.5);
    }
  }
  assert.ok(Math.abs(contrast([0, 0, 0], [255, 255, 255]) - 21) < 1e-9);
});

test("a typed stock is read, and an invalid one is rejected with a reason", () => {
  const ask = (...texts) => read_stock(texts, 5);
  assert.deepEqual(ask("2", "3").stock, [2, 3]);
  assert.deepEqual(ask("", "3").stock, [0, 3]);
  assert.match(ask("3", "3").problem, /^Order nothing: the stock of 6 is above the capacity of 5/);
  assert.equal(ask("3", "3").stock, null);
  for (const text of ["-1", "1.5", "?", "x"]) assert.match(ask(text, "0").problem, /whole number/);
});

test("stock and day are kept in the address", () => {
  const week = { ages: 3, days: 7 };
  const address = address_of({ stock: [1, 0, 12], day: 1 }, week);
  assert.equal(address, "#stock=1,0,12&day=tue");
  const fine = { problem: null };
  assert.deepEqual(read_address(address, week), { texts: ["1", "0", "12"], day: 1, ...fine });
  assert.equal(address_of({ stock: [4], day: 0 }, { days: 1 }), "#stock=4");
  assert.deepEqual(read_address("#stock=4", { ages: 1, days: 1 }), { texts: ["4"], day: null, ...fine });
  assert.deepEqual(read_address("#day=sun", { ages: 0, days: 7 }), { texts: null, day: 6, ...fine });
  assert.deepEqual(read_address("#day=sun", week), { texts: null, day: 6, ...fine });
  for (const hash of ["", "#today"]) assert.equal(read_address(hash, week), null);
  for (const stock of ["1,2", "1,-2,3", "1,2,x", "", "1,2,3,4", "1,2,1000"]) {
    const { problem, texts } = read_address(`#stock=${stock}`, week);
    assert.equal(texts, null);
    assert.equal(
      problem,
      `The address says stock=${stock}, where 3 whole numbers with commas should be.`,
    );
  }
  assert.match(read_address("#stock=1,2,3&day=foo", week).problem, /says day=foo, where one of mon, tue/);
  assert.match(read_address("#stock=x&day=foo", week).problem, /stock=x, .* should be, and day=foo/);
  // Where days are alike, a day is no problem.
  assert.equal(read_address("#stock=4&day=foo", { ages: 1, days: 1 }).problem, null);
});

test("names of rules, and money with its currency", () => {
  assert.equal(policy_name("base-stock:15"), "Order up to 15");
  assert.equal(policy_name("reorder:5,14"), "Up to 14 at 5 or fewer");
  assert.equal(policy_name("fixed:8"), "Always order 8");
  assert.equal(policy_name("optimal"), "Recommended");
  assert.equal(policy_name("rules.csv"), "rules.csv");
  const money = money_in("EUR");
  assert.equal(money(4.256), "4.26\u00a0EUR");
  assert.equal(money(31.24), "31.2\u00a0EUR");
  assert.equal(money(1510.4), "1\u202f510\u00a0EUR");
  assert.equal(money_in("")(-0.5), "−0.50");
});

test("what caution buys is said as it is", () => {
  const say = (plan, neutral, kind = "averse", more = {}) =>
    caution_sentence({
      currency: "",
      levels: [],
      ...more,
      conclusions: { attitude: { kind } },
      policies: [
        { policy: "optimal", ...plan },
        { policy: "risk-neutral", extra_standard_error: 0.01, ...neutral },
      ],
    });
  const plan = { month_bad: 1510, cost_q95: 50 };
  const buys = say(plan, { month_bad: 1880, cost_q95: 60, extra_per_period: -1.3 });
  assert.match(
    buys,
    /bad month costs 1\u202f510 instead of 1\u202f880, for 39\.0 a month on average/,
  );
  const days = say(plan, { month_bad: 1500, cost_q95: 60, extra_per_period: -1.3 });
  assert.match(days, /costs 39\.0 a month on average and makes bad days cheaper, not bad months/);
  assert.match(days, /costs 50\.0 instead of 60\.0/);
  const nothing = say(plan, { month_bad: 1500, cost_q95: 40, extra_per_period: -1.3 });
  assert.match(
    nothing,
    /Caution costs 39\.0 a month on average, and a .* costs 1\u202f510 instead of/,
  );
  assert.match(
    say(plan, { month_bad: 1880, extra_per_period: -0.001 }),
    /costs about the same as the plan with the lowest average cost/,
  );
  assert.equal(say(plan, { month_bad: 1880, extra_per_period: -1 }, "neutral"), "");
  assert.equal(say({ month_bad: null }, { month_bad: null, extra_per_period: -1 }), "");
});

test("another level that is better in average cost and in a bad month is named", () => {
  const row = (level, cost_per_period, month_bad, is_chosen = false) => ({
    level,
    cost_per_period,
    month_bad,
    is_chosen,
  });
  const chosen = row(0.9, 20, 539, true);
  const best = (...others) => dominating_level([...others, chosen])?.level ?? null;
  assert.equal(best(row(0.7, 19.2, 530)), 0.7);
  assert.equal(best(row(0.7, 19.2, 530), row(0.6, 19, 539)), 0.6);
  assert.equal(best(row(0.5, 18, 546)), null); // cheaper, but not in a bad month
  assert.equal(best(row(0.95, 21, 530)), null);
  assert.equal(best(row(0.8, 20.001, 539.4)), null); // the same as the table shows it
  assert.equal(dominating_level([row(0.7, 19, 500)]), null);
  assert.equal(dominating_level([row(0.7, 19, null), row(0.9, 20, null, true)]), null);
  const said = caution_sentence({
    currency: "EUR",
    conclusions: { attitude: { kind: "averse" } },
    levels: [row(0.7, 19.2, 530), chosen],
    policies: [
      { policy: "optimal", month_bad: 539 },
      { policy: "risk-neutral", month_bad: 546, extra_per_period: -1.34, extra_standard_error: 0.01 },
    ],
  });
  assert.match(said, /bad month costs 539\u00a0EUR instead of 546\u00a0EUR, for 40\.2/);
  assert.match(said, /In the simulation level 0\.7 is better by both: it costs 576\u00a0EUR instead of 600/);
});

test("while costs are placeholders nothing is compared in money", () => {
  const data = { currency: "EUR", placeholder_costs: ["order"], levels: [], policies: [] };
  assert.equal(caution_sentence(data), "");
  assert.equal(money_of(data)(12), "12.0");
  assert.equal(money_of({ currency: "EUR", placeholder_costs: [] })(12), "12.0\u00a0EUR");
  assert.equal(money_of({ currency: "EUR" })(12), "12.0\u00a0EUR");
});

test("what happened comes before the rule, and both comparisons are reconciled", () => {
  const money = money_in("EUR");
  const days = {
    days: 618,
    plan: { cost: 15803 },
    actual: { cost: 11273 },
    rule: { cost: 14401 },
    agreement: 0.62,
  };
  assert.match(
    recorded_sentence(days, money),
    /618 days .* would have cost 4\u202f530\u00a0EUR more than what happened: 15\u202f803/,
  );
  const why = why_different(days, money);
  assert.match(why, /follow it on 62\u202f% of them/);
  assert.match(why, /the rule itself would have cost 14\u202f401\u00a0EUR: 3\u202f128\u00a0EUR more than/);
  assert.match(why, /and 1\u202f402\u00a0EUR less than the plan/);
  const followed = why_different({ ...days, rule: { cost: 11273 }, agreement: 1 }, money);
  assert.match(followed, /Your records follow the rule, so that the two differ in their days/);
});

test("the rule in use is named, or the reason why there is none", () => {
  assert.match(rule_text({ policy: "base-stock:12", agreement: 0.97 }), /“Order up to 12”.* 97/);
  assert.match(rule_text({ policy: null, reason: "too few" }), /not recognised: too few\./);
});

test("shortages of a back-test are bounds where the stock ran out", () => {
  const { units, share } = shortage_formats;
  assert.equal(units(0, { shortages: "at least" }), "at least 0");
  assert.equal(share(1, { shortages: "at least" }), "at most 100.0\u202f%");
  assert.equal(units(3, { shortages: "of recorded demand" }), "3");
  assert.equal(share(0.5, { shortages: "exact" }), "50.0\u202f%");
});

test("units ordered per period are not the mean order size unless there is an order every period", () => {
  const policy = { order_frequency: 0.75, mean_order: 8 };
  assert.equal(units_ordered_per_period(policy), 6);
  assert.equal(units_ordered_per_period({ ...policy, order_frequency: 1 }), 8);
});

test("a curve without a limit is left out, one that diverged is not", () => {
  const point = { features: "F", loss: "mean", gamma: 1, updates: 1 };
  const curves = [
    { ...point, algorithm: "averager-td", diverged: 0, to_limit_median: null },
    { ...point, algorithm: "td", diverged: 2, to_limit_median: null },
    { ...point, algorithm: "newton", diverged: 0, to_limit_median: 0.5 },
  ];
  const shown = panel_data({ curves, settings: [], ends: [] }, "to_limit").curves;
  assert.deepEqual(
    shown.map(({ algorithm }) => algorithm),
    ["td", "newton"],
  );
});

test("learners of a study have the lines of their own limits", () => {
  const setting = { features: "f", loss: "mean", gamma: 0.9 };
  const ends = [
    { ...setting, algorithm: "td", limit: "projected fixed point", limit_distance: 8 },
    { ...setting, algorithm: "newton", limit: "projected fixed point", limit_distance: 8 },
    {
      ...setting,
      algorithm: "averager-td",
      limit: "averager's fixed point",
      limit_distance: 11,
      guaranteed: true,
    },
    { ...setting, algorithm: "td-lambda:1", limit: "limit of traces", limit_distance: null },
    { ...setting, loss: "entropic:1", algorithm: "td", limit: "other", limit_distance: 5 },
  ];
  const [found] = panel_data({ curves: [], settings: [setting], ends }, "to_value").settings;
  assert.deepEqual(found.limits, [{ distance: 8 }, { distance: 11, algorithm: "averager-td" }]);
  assert.equal(guarantee_text(found), "guaranteed: averager-td");
  assert.deepEqual(
    panel_data({ curves: [], settings: [setting], ends }, "to_limit").settings[0].limits,
    [],
  );
});

test("guarantees of a panel are told in a few words", () => {
  assert.equal(guarantee_text({ guaranteed: [], learners: 3 }), "no guarantee");
  assert.equal(guarantee_text({ guaranteed: ["td"], learners: 1 }), "guaranteed");
  assert.equal(
    guarantee_text({ guaranteed: ["a", "b", "c"], learners: 4 }),
    "guaranteed: 3 of 4 learners",
  );
});
