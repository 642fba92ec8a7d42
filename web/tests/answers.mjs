// src/order is a twin of the C++ that answers for one stock: its answers, computed from the data of a
// page, are those of C++ for thousands of stocks, and changes that are planted in it are found.
//   node tests/answers.mjs SHORTFALL ORDER_ANSWERS EXAMPLES
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { each_stock } from "../src/stock_rank.js";
import { numbers } from "./fixture/numbers.mjs";

const NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const RULE = "base-stock:8";

const WEEK = [
  "demand.mean=[7,7,7,7,6,4,4]",
  "inventory.max_order=[12,12,12,12,12,5,0]",
  "cost.order=[10,10,10,10,10,20,20]",
  "cost.unit=2",
];
// Shares with zeros, also of the freshest age; [arrival] of the file has c0 and c1.
const SHARES = [
  "arrival.shares=[[0,0.4,0.6],[0.1,0,0.9],[0.2,0.8,0],[0,0,1],[1,0,0],[0,0,1],[0,0,1]]",
];
const LONDON = ["inventory.capacity=12", "inventory.max_order=[12,12,12,12,12,12,0]"];
const KINKS = "risk.loss=piecewise:-1:-0.5,0:0,1:2";

/** Plan, changes, and how many stocks to try; the others are skipped evenly. */
const PLANS = [
  ["platelets3.toml", [], Infinity],
  ["platelets3.toml", ["risk.loss=mean"], Infinity],
  ["platelets3.toml", ["risk.loss=entropic:0.05"], Infinity],
  ["platelets3.toml", ["risk.loss=truncated-entropic:0.05,20"], Infinity],
  ["platelets3.toml", ["risk.loss=soft-quantile:0.8,0.5"], Infinity],
  ["platelets3.toml", [...WEEK, KINKS], Infinity],
  ["platelets3.toml", ["inventory.capacity=12", ...WEEK, ...SHARES], Infinity],
  ["platelets.toml", [], 60],
  ["london.toml", LONDON, 150],
  ["platelets8.toml", ["inventory.capacity=8"], 100],
];

/** Changes to files of src/order, each of which must be found. */
const PLANTED = [
  ["expectations.js", "d = total + 1; d <", "d = total + 2; d <"],
  ["expectations.js", "(units - d) * demand[d]", "(units - d) * demand[d + 1]"],
  ["expectations.js", "(day + k) % model.days", "day"],
  ["losses.js", "x > kinks[i]", "x > kinks[i] + 1"],
  ["losses.js", "[1 - numbers[0], numbers[0]]", "[1 - numbers[0], 0.9999999 * numbers[0]]"],
  ["order_values.js", "d = oldest; d < demands", "d = oldest + 1; d < demands"],
  ["order_values.js", "model.gamma * this.value_at(first)", "this.value_at(first)"],
  ["order_values.js", "p = below > 0 ? share / below", "p = below > 0 ? share"],
  ["order_answer.js", "=== this.model.capacity", "> this.model.capacity"],
  ["plan_model.js", "this.capacity - total", "this.capacity"],
  ["reason.js", "expected_expired_in_all);", "expected_expired);"],
  ["reason.js", "0.5 + 1e-6", "0.4"],
];
const SMALL_WEEK = ["inventory.capacity=12", "risk.loss=expectile:0.8", ...WEEK, ...SHARES];
const PLANTED_IN = ["platelets3.toml", SMALL_WEEK, 300];

const [shortfall, order_answers, examples] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "answers-"));
const sources = fileURLToPath(new URL("../src", import.meta.url));

function page_data_of(plan, changes) {
  const page = join(folder, "page.html");
  const set = changes.flatMap((change) => ["--set", change]);
  const small = ["--out", page, "--periods", "5", "--replications", "5", "--policy", RULE];
  execFileSync(shortfall, ["inventory", "report", join(examples, plan), ...set, ...small], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const text = readFileSync(page, "utf8");
  const begin = text.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(text.slice(begin, text.indexOf("</script>", begin)));
}

/** All stocks of all days, or about as many as wanted, drawn at random. */
function stocks_of({ ages, capacity, days }, wanted) {
  const all = [];
  for (let day = 0; day < days; ++day)
    each_stock(ages, capacity, (stock) => all.push({ stock: [...stock], day }));
  const draw = numbers(7);
  return all.filter((_, i) => i === 0 || i === all.length - 1 || draw() < wanted / all.length);
}

/** The data of a plan's page, stocks, and what C++ answers for each of them. */
function questions_of([plan, changes, wanted]) {
  const data = page_data_of(plan, changes);
  const stocks = stocks_of(data.orders, wanted);
  const answers = execFileSync(order_answers, [join(examples, plan), RULE, ...changes], {
    input: stocks.map(({ stock, day }) => `${[day, ...stock].join(" ")}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const lines = answers.trimEnd().split("\n");
  if (lines.length !== stocks.length) throw new Error(`${lines.length} answers for ${plan}`);
  return { data, asked: stocks.map((today, i) => ({ ...today, wanted: JSON.parse(lines[i]) })) };
}

/**
 * How far an answer may be from that of C++. What to expect differs by rounding alone. The values of
 * both are certified, and those in the page are rounded to `step`.
 */
function tolerance_of(key, number, { data, wanted }) {
  const rounding = 1e-12 * Math.max(1, Math.abs(number));
  if (key !== "value" && key !== "extra") return rounding;
  const { gamma } = data.model;
  const page = gamma * (data.recommendation.error_bound + data.values.step / 2);
  return (key === "extra" ? 2 : 1) * (page + wanted.error_bound) + rounding;
}

/** What is different, or null. */
function difference({ OrderAnswers, reason_for, order_book }, data, { stock, day, wanted }) {
  const answers = new OrderAnswers(data, order_book(data.orders));
  const order = answers.recommended(stock, day);
  if (order !== wanted.order) return `orders ${order}, not ${wanted.order}`;
  const choices = [];
  for (const choice of answers.choices(stock, day)) choices[choice.order] = choice;
  if (choices.length !== wanted.choices.length) return `${choices.length} choices`;
  for (const choice of wanted.choices) {
    for (const [key, number] of Object.entries(choice)) {
      const found = choices[choice.order][key];
      if (!(Math.abs(found - number) <= tolerance_of(key, number, { data, wanted })))
        return `order ${choice.order}: ${key} is ${found}, not ${number}`;
    }
  }
  const reason = reason_for({
    order,
    choices,
    largest: answers.largest(stock, day),
    limit: answers.limit(stock, day, order),
    capacity: data.model.capacity,
    weekday: data.orders.days > 1 ? NAMES[day] : null,
    margin: answers.margin,
  });
  if (reason !== wanted.reason) return `says "${reason}", not "${wanted.reason}"`;
  const own = order_book({ ...data.orders, digits: data.own_rules[0].digits });
  if (own.order_for(day, stock) !== wanted.own) return `${RULE} orders ${wanted.own}`;
  return null;
}

/** The twin in a folder of sources. */
async function twin_in(place) {
  const { OrderAnswers } = await import(join(place, "order/order_answer.js"));
  const { reason_for } = await import(join(place, "order/reason.js"));
  const { order_book } = await import(join(place, "stock_rank.js"));
  return { OrderAnswers, reason_for, order_book };
}

/** A copy of the twin with one change. */
async function changed_twin(number, [file, before, after]) {
  const place = join(folder, `changed-${number}`);
  cpSync(join(sources, "order"), join(place, "order"), { recursive: true });
  cpSync(join(sources, "stock_rank.js"), join(place, "stock_rank.js"));
  writeFileSync(join(place, "package.json"), '{"type": "module"}');
  const text = readFileSync(join(place, "order", file), "utf8");
  if (text.split(before).length !== 2) throw new Error(`${file} does not have "${before}" once`);
  writeFileSync(join(place, "order", file), text.replace(before, () => after));
  return twin_in(place);
}

let failed = 0;
function say(is_good, text, faults = []) {
  if (!is_good) ++failed;
  console.log(`${is_good ? "ok    " : "FAILED"} ${text}`);
  faults.slice(0, 10).forEach((fault) => console.log(`       ${fault}`));
}

try {
  const twin = await twin_in(sources);
  let count = 0;
  for (const plan of PLANS) {
    const { data, asked } = questions_of(plan);
    const faults = asked
      .map((today) => ({ today, fault: difference(twin, data, today) }))
      .filter(({ fault }) => fault !== null)
      .map(({ today, fault }) => `(${today.stock}) on day ${today.day}: ${fault}`);
    say(faults.length === 0, `${plan[0]} ${plan[1].join(" ")}: ${asked.length} stocks`, faults);
    count += asked.length;
  }
  say(count >= 3000, `${count} stocks in all`);
  const { data, asked } = questions_of(PLANTED_IN);
  for (const [number, change] of PLANTED.entries()) {
    const changed = await changed_twin(number, change);
    const is_found = asked.some((today) => difference(changed, data, today) !== null);
    say(is_found, `planted in ${change[0]}: ${change[2]}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);
