import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { open_page } from "./open_page.mjs";
import { order_of } from "./orders.mjs";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const [WEDNESDAY, SATURDAY] = [2, 5];
const MORNING = new Date("2026-11-18T08:00:00"); // a Wednesday

/** A stock that fits, with units of the first and the last age. */
function some_stock({ ages }) {
  return Array.from({ length: ages }, (_, i) => (i === 0 ? 1 : i === ages - 1 ? 2 : 0));
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** What the answer shows, once it is complete. */
async function read_answer(page) {
  await page.locator("#today [data-ready]").waitFor();
  return page.locator("#today").evaluate((today) => ({
    order: Number(today.querySelector("[data-order]").textContent),
    reason: today.querySelector(".reason")?.textContent ?? null,
    own: Object.fromEntries(
      [...today.querySelectorAll("[data-own]")].map((one) => [one.dataset.own, one.textContent]),
    ),
    figures: [...today.querySelectorAll(".tiles .figure")].map((figure) => figure.textContent),
    choices: [...today.querySelectorAll("[data-choice] .choice")].map((one) =>
      Number(one.textContent),
    ),
    points: today.querySelectorAll("#chart-order-curve .mark-symbol path").length,
    stock: [...today.querySelectorAll("input")].map((input) => Number(input.value)),
    day: today.querySelector("select")?.value ?? null,
    hash: window.location.hash,
  }));
}

/** P(D > units) as the page writes it. */
function chance_text(data, day, units) {
  const rows = data.demand.filter((row) => row.day === day && row.units > units);
  const percent = 100 * sum(rows.map((row) => row.probability));
  if (percent >= 9.95) return `${percent.toFixed(0)} %`;
  return percent >= 0.05 || percent === 0 ? `${percent.toFixed(1)} %` : "below 0.1 %";
}

/**
 * The form takes the weekday from the browser's clock, keeps stock and day in the address and reads
 * them from it, and its answer has the order, the chance of running short, the own rule, the other
 * orders and, where a file PAGE.order.json of `inventory order --json` lies beside the page, the
 * reason and the costs of it.
 */
export async function check_form(browser, address, { viewport, report }) {
  const options = { viewport, scheme: "light", time: MORNING };
  const first = await open_page(browser, address, options);
  const { page, data } = first;
  const { ages, days } = data.orders;
  const start = await read_answer(page);
  if (days > 1 && start.day !== String(WEDNESDAY))
    report(`the weekday is ${start.day} on a Wednesday`);
  if (days === 1 && start.day !== null) report("there is a weekday, but all days are alike");
  if (start.hash !== "") report(`the address has ${start.hash} before anything was entered`);

  const stock = some_stock(data.orders);
  const day = days > 1 ? SATURDAY : 0;
  if (days > 1) await page.locator("#today select").selectOption(String(day));
  for (let i = 0; i < ages; ++i) await page.locator("#today input").nth(i).fill(String(stock[i]));
  const answer = await read_answer(page);
  check_answer(answer, { data, day, stock }, report);
  const parts = [
    ...(ages > 0 ? [`stock=${stock.join(",")}`] : []),
    ...(days > 1 ? [`day=${DAYS[day]}`] : []),
  ];
  const hash = parts.length > 0 ? `#${parts.join("&")}` : "";
  if (answer.hash !== hash) report(`the address has ${answer.hash}, not ${hash}`);
  await first.close(report);
  if (hash === "") return;

  const again = await open_page(browser, `${address}${hash}`, options);
  const reopened = await read_answer(again.page);
  for (const key of ["order", "reason", "stock", "day"]) {
    if (JSON.stringify(reopened[key]) !== JSON.stringify(answer[key]))
      report(`opened at ${hash}: the ${key} is ${reopened[key]}, not ${answer[key]}`);
  }
  const empty = `#stock=${stock.map(() => 0).join(",")}`;
  if (ages > 0) {
    await again.page.evaluate((other) => (window.location.hash = other), empty);
    await again.page.waitForFunction(() =>
      [...document.querySelectorAll("#today input")].every((input) => input.value === "0"),
    );
    const emptied = await read_answer(again.page);
    const wanted = order_of(
      data,
      day,
      stock.map(() => 0),
    );
    if (emptied.order !== wanted)
      report(`at ${empty}: the order is ${emptied.order}, not ${wanted}`);
  }
  await check_recorded_answer(again.page, address, data, report);
  await again.close(report);
}

function check_answer(answer, { data, day, stock }, report) {
  const order = order_of(data, day, stock);
  if (answer.order !== order) report(`the order is ${answer.order}, not ${order}`);
  const chance = chance_text(data, day, sum(stock) + order);
  if (answer.figures[0] !== chance) report(`the chance is ${answer.figures[0]}, not ${chance}`);
  for (const { policy, digits } of data.own_rules) {
    const own = order_of(data, day, stock, digits);
    const text = answer.own[policy] ?? "";
    if (!text.includes(`: ${own}`)) report(`${policy}: "${text}" does not say ${own}`);
    if (own === order ? !text.includes("the same") : data.values && !text.includes("cost"))
      report(`${policy}: "${text}" does not say what it costs`);
  }
  if (!data.values) {
    if (answer.reason !== null) report("there is a reason without values");
    return;
  }
  if (!answer.reason) report("the answer has no reason");
  const most = [data.model.max_order].flat().at(Array.isArray(data.model.max_order) ? day : 0);
  if (Math.min(most, data.model.capacity - sum(stock)) === 0) return;
  const shown = answer.choices;
  if (!shown.includes(order) || !shown.includes(0)) report(`the other orders are ${shown}`);
  if (answer.points < 2) report("the curve has no points");
}

/** As `shortfall inventory order --json` answered for the same stock. */
async function check_recorded_answer(page, address, data, report) {
  const file = fileURLToPath(address).replace(/\.html$/, ".order.json");
  if (!existsSync(file)) return;
  const wanted = JSON.parse(readFileSync(file, "utf8"));
  if (wanted.day)
    await page.locator("#today select").selectOption(String(DAYS.indexOf(wanted.day)));
  for (let i = 0; i < wanted.stock.length; ++i)
    await page.locator("#today input").nth(i).fill(String(wanted.stock[i]));
  const answer = await read_answer(page);
  if (answer.order !== wanted.order) report(`orders ${answer.order}, the command ${wanted.order}`);
  const why = wanted.reason.replace(/^Order [^:]*: /, "");
  const plain = answer.reason.replaceAll(`\u00a0${data.currency}`, "");
  if (plain.toLowerCase() !== why.toLowerCase())
    report(`the reason is "${plain}", of the command "${why}"`);
  for (const [rule, { order, extra }] of Object.entries(wanted.compare)) {
    const text = answer.own[rule] ?? "";
    const digits = extra >= 99.95 ? 0 : extra >= 9.995 ? 1 : 2;
    const costs = order === wanted.order ? "the same" : extra.toFixed(digits);
    if (!text.includes(`: ${order}`) || !text.includes(costs))
      report(`${rule}: "${text}" does not say ${order} and ${costs}`);
  }
}
