import { chart_view } from "../chart_view.js";
import { order_curve } from "../charts/order_curve.js";
import { element } from "../dom.js";
import { count, fixed, plural } from "../format.js";
import { amount_text, next_best, percent_text, reason_for, to_within } from "../order/reason.js";
import { tiles } from "../tiles.js";
import { policy_name } from "./labels.js";

/** Orders on each side of the recommended one in the table, and in the curve. */
const NEAR = 2;
const AROUND = 6;

const NO_VALUES =
  "This plan is too large, or its attitude to risk too special, for the page to say what other orders " +
  "would cost. The command “shortfall inventory order” does.";

/**
 * The answer for one stock: the order, its reason, what to expect, and what other orders cost.
 * @param {{money: (amount: number) => string, has_values: boolean}} options
 * @returns {{root: HTMLElement, show_problem: (text: string) => void,
 *            show_order: (answer: Object) => void, show_answer: (answer: Object) => void,
 *            show_curve: (answer: Object) => void}} the last one once all choices are known
 */
export function answer_view({ money, has_values }) {
  const output = element("output", { class: "order", "aria-live": "polite" });
  const details = element("div", { class: "answer-details" });
  const rows = [];
  let marks = { best: 0, own: [] };
  let stock = "";
  let redraw = () => {};
  const { currency } = parts_of(money);
  const curve = chart_view({
    name: "order-curve",
    title: "What other orders would cost",
    caption:
      "Risk-adjusted cost above that of the recommended order, from today on, if the best orders " +
      "follow.",
    rows,
    controls: (_, draw) => {
      redraw = draw;
      return null;
    },
    build: (context) => order_curve({ rows, ...marks, currency }, context),
    alone: () =>
      `Risk-adjusted cost above that of the recommended order, ${stock}, if the best orders follow.`,
  });
  if (!has_values) curve.hidden = true;
  const root = element(
    "div",
    { class: "today-answer" },
    output,
    details,
    has_values ? curve : null,
  );

  const show_problem = (text) => {
    output.replaceChildren(element("span", { class: "problem" }, text));
    details.replaceChildren();
    curve.hidden = true;
    root.removeAttribute("data-ready");
  };
  const show_order = (answer) => {
    root.removeAttribute("data-ready");
    output.replaceChildren(order_text(answer), ...answer.own.map((own) => own_text(own, answer)));
  };
  const show_answer = (answer) => {
    const { order, own, choices, largest } = answer;
    output.replaceChildren(
      order_text(answer),
      ...(has_values ? [reason_text(answer, money)] : []),
      ...own.map((one) => own_text(one, answer, money)),
    );
    details.replaceChildren(
      expected_tiles(choices[order], money),
      ...(has_values && largest > 0 ? [choice_table(answer, money)] : []),
      ...(has_values ? [] : [element("p", { class: "small" }, NO_VALUES)]),
    );
  };
  const show_curve = (answer) => {
    const { order, own, largest } = answer;
    const shown = choices_near(answer, order === 0 ? largest : AROUND);
    rows.splice(0, rows.length, ...shown.map((choice) => chart_row(choice)));
    stock = stock_text(answer);
    marks = { best: order, own: own.map((one) => ({ ...one, name: policy_name(one.policy) })) };
    curve.hidden = !has_values || largest === 0;
    if (has_values) redraw();
    root.setAttribute("data-ready", order);
  };
  return { root, show_problem, show_order, show_answer, show_curve };
}

/** The currency, and how amounts are written without it. */
function parts_of(money) {
  const [, currency = ""] = money(0).split("\u00a0");
  return { currency, amount: (number) => money(number).split("\u00a0")[0] };
}

/** The reason of the command, with the currency. */
function reason_text(answer, money) {
  const { currency } = parts_of(money);
  const unit = currency === "" ? "" : `\u00a0${currency}`;
  const text = reason_for(answer, (amount) => `${amount_text(amount)}${unit}`);
  // The order itself is above it.
  const why = text.replace(/^Order [^:]*: /, "");
  return element("p", { class: "reason" }, `${why.charAt(0).toUpperCase()}${why.slice(1)}`);
}

function stock_text({ total, weekday }) {
  const stock = total === 0 ? "with nothing in stock" : `with ${plural(total, "unit")} in stock`;
  return `${stock}${weekday ? ` on a ${weekday}` : ""}`;
}

function order_text(answer) {
  const { order } = answer;
  return element(
    "span",
    {},
    "Order ",
    element("strong", { "data-order": order }, count(order)),
    ` ${order === 1 ? "unit" : "units"} ${stock_text(answer)}.`,
  );
}

function own_text({ policy, order }, answer, money = null) {
  const choice = answer.choices[order];
  const extra = choice?.extra ?? null;
  let end = ".";
  if (order === answer.order) end = ", the same.";
  else if (money && extra !== null)
    end =
      extra > answer.margin
        ? `, which costs ${money(extra)} more.`
        : `, which costs the same${to_within(extra, answer.margin)}.`;
  return element(
    "p",
    { class: "own", "data-own": policy },
    `Your rule (${policy_name(policy)}): `,
    element("b", {}, count(order)),
    end,
  );
}

function expected_tiles(best, money) {
  return tiles([
    {
      name: "Chance of running short today",
      figure: percent_text(best.chance_of_shortage),
      remark: `${fixed(best.expected_short, 2)} units short on average`,
    },
    {
      name: "Units likely to expire",
      figure: fixed(best.expected_expired_in_all, 1),
      remark: `of the stock and this order; ${fixed(best.expected_expired, 1)} of them tonight`,
    },
    {
      name: "Average cost of today",
      figure: money(best.expected_cost),
      remark: `${fixed(best.expected_left, 1)} units left tonight on average`,
    },
  ]);
}

/**
 * Exported for the tests: the recommended order, those around it, the next best, nothing, and the
 * planner's own.
 */
export function choices_near(answer, distance) {
  const { order, own, choices } = answer;
  const next = next_best(answer);
  return choices
    .filter((choice) => choice !== undefined)
    .filter(
      ({ order: z }) =>
        Math.abs(z - order) <= distance ||
        z === 0 ||
        z === next ||
        own.some((rule) => rule.order === z),
    );
}

function choice_table(answer, money) {
  const { order, own, largest, margin } = answer;
  const shown = choices_near(answer, NEAR);
  const next = next_best(answer);
  const name = (z) => {
    const rules = own.filter((rule) => rule.order === z).map((rule) => policy_name(rule.policy));
    if (z === order) return "recommended";
    if (rules.length > 0) return "your rule";
    return z === next ? "next best" : "";
  };
  const cell = (text) => element("td", { class: "number" }, text);
  const { amount, currency } = parts_of(money);
  const unit = currency === "" ? "" : `, ${currency}`;
  const head = ["Order", `Costs more${unit}`, "Runs short", "Units that expire"];
  const table = element(
    "table",
    { "aria-label": "Other orders for this stock" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        head.map((text, i) =>
          element("th", { scope: "col", class: i > 0 ? "number" : null }, text),
        ),
      ),
    ),
    element(
      "tbody",
      {},
      shown.map((choice) =>
        element(
          "tr",
          { class: choice.order === order ? "best" : null, "data-choice": choice.order },
          element(
            "td",
            {},
            element("span", { class: "choice" }, count(choice.order)),
            element("span", { class: "remark" }, name(choice.order)),
          ),
          cell(
            choice.order === order ? "–" : choice.extra > margin ? amount(choice.extra) : "same",
          ),
          cell(percent_text(choice.chance_of_shortage)),
          cell(fixed(choice.expected_expired_in_all, 1)),
        ),
      ),
    ),
  );
  const larger = largest > order ? "" : " A larger order is not possible today.";
  return element(
    "div",
    { class: "table choices" },
    element("p", { class: "small" }, `Other orders today, if the best orders follow.${larger}`),
    element(
      "div",
      { class: "scroller", tabindex: "0", role: "region", "aria-label": "Other orders" },
      table,
    ),
  );
}

function chart_row({ order, value, extra, chance_of_shortage, expected_expired_in_all }) {
  return { order, value, extra, chance_of_shortage, expected_expired_in_all };
}
