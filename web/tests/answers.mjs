// The answers of a plan's page, computed from its data, equal those of `shortfall inventory order`.
//   node tests/answers.mjs SHORTFALL EXAMPLES
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OrderAnswers } from "../src/order/order_answer.js";
import { reason_for } from "../src/order/reason.js";
import { order_book } from "../src/stock_rank.js";
import { numbers } from "./fixture/numbers.mjs";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

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

/** Plan, changes, and how many stocks to try. */
const PLANS = [
  ["platelets.toml", [], 5],
  ["platelets3.toml", [], 12],
  ["platelets3.toml", ["risk.loss=mean"], 6],
  ["platelets3.toml", ["risk.loss=entropic:0.05"], 6],
  ["platelets3.toml", ["risk.loss=truncated-entropic:0.05,20"], 6],
  ["platelets3.toml", ["risk.loss=soft-quantile:0.8,0.5"], 6],
  ["platelets3.toml", [...WEEK, "risk.loss=piecewise:-1:-0.5,0:0,1:2"], 12],
  ["platelets3.toml", ["inventory.capacity=12", ...WEEK, ...SHARES], 16],
];

const [shortfall, examples] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "answers-"));

function run(command, plan, changes, more) {
  const set = changes.flatMap((change) => ["--set", change]);
  const args = ["inventory", command, join(examples, plan), ...set, ...more];
  return execFileSync(shortfall, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function page_data_of(plan, changes) {
  const page = join(folder, "page.html");
  const rule = ["--policy", "base-stock:9"];
  run("report", plan, changes, ["--out", page, "--periods", "5", "--replications", "5", ...rule]);
  const text = readFileSync(page, "utf8");
  const begin = text.indexOf('id="data">') + 'id="data">'.length;
  return JSON.parse(text.slice(begin, text.indexOf("</script>", begin)));
}

/** Random stocks, the first empty and the second full. */
function stocks_of({ ages, capacity, days }, count) {
  const draw = numbers(7);
  return Array.from({ length: count }, (_, i) => {
    const stock = Array(ages).fill(0);
    const units = i === 0 ? 0 : i === 1 ? capacity : Math.floor(0.8 * draw() * capacity);
    for (let unit = 0; unit < units; ++unit) ++stock[Math.floor(draw() * ages)];
    return { stock, day: days > 1 ? i % 7 : 0 };
  });
}

/** The largest difference of a number, or what else is different. */
function compare(answers, data, { stock, day }, wanted) {
  const order = answers.recommended(stock, day);
  if (order !== wanted.order) return `orders ${order}, not ${wanted.order}`;
  const every = wanted.choices.map((choice) => choice.order);
  const choices = [];
  for (const choice of answers.choices(stock, day, every)) choices[choice.order] = choice;
  if (choices.length !== wanted.choices.length) return "another number of choices";
  // The values in the page are within a quarter millionth of a certified value, and both of those
  // of the optimum within the bound.
  const tolerance = 3 * wanted.error_bound + 1e-8 * Math.abs(wanted.value);
  for (const choice of wanted.choices) {
    for (const [key, number] of Object.entries(choice)) {
      const found = choices[choice.order][key];
      if (!(Math.abs(found - number) <= tolerance))
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
  const [rule] = data.own_rules;
  const own = order_book({ ...data.orders, digits: rule.digits }).order_for(day, stock);
  if (own !== wanted.compare[rule.policy].order) return `the own rule orders ${own}`;
  return null;
}

let failed = 0;
try {
  for (const [plan, changes, count] of PLANS) {
    const data = page_data_of(plan, changes);
    const answers = new OrderAnswers(data, order_book(data.orders));
    const faults = [];
    for (const today of stocks_of(data.orders, count)) {
      const day = data.orders.days > 1 ? ["--day", DAYS[today.day]] : [];
      const stock = ["--stock", today.stock.join(","), "--compare", "base-stock:9"];
      const wanted = JSON.parse(run("order", plan, changes, ["--json", ...stock, ...day]));
      const fault = compare(answers, data, today, wanted);
      if (fault) faults.push(`(${today.stock}) ${day[1] ?? ""}: ${fault}`);
    }
    console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${plan} ${changes.join(" ")}`);
    faults.forEach((fault) => console.log(`       ${fault}`));
    failed += faults.length;
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed === 0 ? 0 : 1);
