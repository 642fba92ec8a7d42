import { element, labelled_select } from "../dom.js";
import { count, plural } from "../format.js";
import { section } from "../page_data.js";
import { days_left, weekday } from "./labels.js";

/**
 * A form that gives the order for the current stock.
 * @param {Object} data the whole plan
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @returns {HTMLElement}
 */
export function order_lookup(data, book) {
  const { ages, capacity, days } = data.orders;
  const state = { day: 0, texts: Array(ages).fill("0") };
  const answer = element("output", { class: "order", "aria-live": "polite" });
  const update = () => {
    const { text, number } = look_up(state, { capacity, book });
    answer.replaceChildren(
      number === null ? element("span", { class: "problem" }, text) : order_text(number, text),
    );
  };
  const form = element(
    "form",
    { class: "lookup", onsubmit: (event) => event.preventDefault() },
    days > 1 ? day_field(days, state, update) : null,
    state.texts.map((_, index) => unit_field(index, capacity, state, update)),
  );
  update();
  const hint =
    ages === 0
      ? "Units last one day only, so the shelf is empty every morning."
      : "Enter the units on the shelf by the days they can still be used, including today.";
  return section("today", "What do I order today?", element("p", {}, hint), form, answer);
}

function order_text(number, text) {
  return element(
    "span",
    {},
    "Order ",
    element("strong", { "data-order": number }, count(number)),
    ` ${text}`,
  );
}

/** Exported for the tests: the answer for the typed numbers. */
export function look_up({ day, texts }, { capacity, book }) {
  const stock = texts.map((text) => (text.trim() === "" ? 0 : Number(text)));
  if (stock.some((units) => !Number.isInteger(units) || units < 0)) {
    return { number: null, text: "Enter a whole number of units, 0 or more, in each field." };
  }
  const total = stock.reduce((sum, units) => sum + units, 0);
  if (total > capacity) {
    const limit = `this plan assumes a shelf for ${count(capacity)}`;
    return {
      number: null,
      text: `That is ${plural(total, "unit")}, but ${limit}. Please check the numbers.`,
    };
  }
  const number = book.order_for(day, stock);
  const unit = number === 1 ? "unit" : "units";
  const stock_text =
    total === 0 ? "with nothing in stock" : `with ${plural(total, "unit")} in stock`;
  return { number, text: `${unit} ${stock_text}.` };
}

function day_field(days, state, update) {
  const options = Array.from({ length: days }, (_, day) => ({
    value: String(day),
    text: weekday(day),
  }));
  const on_change = (choice) => {
    state.day = Number(choice);
    update();
  };
  return labelled_select({ label: "Day", options, value: "0", on_change });
}

function unit_field(index, capacity, state, update) {
  const input = element("input", {
    type: "number",
    min: 0,
    max: capacity,
    step: 1,
    value: 0,
    inputmode: "numeric",
    "data-age": index + 1,
    onfocus: () => input.select(),
    oninput: () => {
      // Input that is not a number has the value "", which must not count as zero units.
      state.texts[index] = input.validity.badInput ? "?" : input.value;
      update();
    },
  });
  return element("label", { class: "field" }, element("span", {}, days_left(index + 1)), input);
}
