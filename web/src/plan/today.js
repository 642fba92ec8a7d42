import { element, labelled_select } from "../dom.js";
import { count } from "../format.js";
import { OrderAnswers } from "../order/order_answer.js";
import { section } from "../page_data.js";
import { order_book } from "../stock_rank.js";
import { address_of, read_address } from "./address.js";
import { answer_view } from "./answer.js";
import { days_left, weekday } from "./labels.js";
import { money_of } from "./placeholders.js";

/** How long to compute before the page may react to input, in milliseconds. */
const SLICE = 40;

/**
 * A form that answers for today's stock. The stock is kept in the address.
 * @param {Object} data the whole plan
 * @param {ReturnType<import("../stock_rank.js").order_book>} book
 * @param {(today: {stock: number[], day: number, order: number}) => void} on_change
 * @returns {HTMLElement}
 */
export function today(data, book, on_change) {
  return new Today(data, book, on_change).root;
}

class Today {
  constructor(data, book, on_change) {
    const { ages, days } = data.orders;
    Object.assign(this, { data, book, on_change });
    this.answers = new OrderAnswers(data, book);
    this.rules = data.own_rules.map(({ policy, digits }) => ({
      policy,
      book: order_book({ ...data.orders, digits }),
    }));
    this.texts = Array(ages).fill("0");
    this.day = days > 1 ? (new Date().getDay() + 6) % 7 : 0;
    this.inputs = this.texts.map((_, index) => this.unit_input(index));
    this.day_field = days > 1 ? this.make_day_field() : null;
    this.view = answer_view({
      money: money_of(data),
      has_values: this.answers.has_values(),
    });
    this.root = section(
      "today",
      "What do I order today?",
      element("p", {}, hint(ages)),
      element(
        "form",
        { class: "lookup", onsubmit: (event) => event.preventDefault() },
        this.day_field,
        this.inputs.map((input, index) =>
          element("label", { class: "field" }, element("span", {}, days_left(index + 1)), input),
        ),
      ),
      this.view.root,
    );
    window.addEventListener("hashchange", () => this.read_address());
    this.update();
    this.read_address();
  }

  make_day_field() {
    const options = Array.from({ length: this.data.orders.days }, (_, day) => ({
      value: String(day),
      text: weekday(day),
    }));
    const on_change = (choice) => {
      this.day = Number(choice);
      this.changed();
    };
    return labelled_select({ label: "Today is", options, value: String(this.day), on_change });
  }

  unit_input(index) {
    const input = element("input", {
      type: "number",
      min: 0,
      max: this.data.orders.capacity,
      step: 1,
      value: 0,
      inputmode: "numeric",
      "data-age": index + 1,
      onfocus: () => input.select(),
      oninput: () => {
        // Input that is not a number has the value "", which must not count as zero units.
        this.texts[index] = input.validity.badInput ? "?" : input.value;
        this.changed();
      },
    });
    return input;
  }

  /** Takes stock and day from the address, if it has them, and says what it does not understand. */
  read_address() {
    const found = read_address(window.location.hash, this.data.orders);
    if (!found) return;
    if (found.problem !== null) {
      clearTimeout(this.timer);
      this.view.show_problem(`${found.problem} Please enter stock and day.`);
      return;
    }
    if (found.texts !== null) {
      this.texts = found.texts;
      this.inputs.forEach((input, index) => (input.value = found.texts[index]));
    }
    if (found.day !== null) {
      this.day = found.day;
      this.day_field.querySelector("select").value = String(found.day);
    }
    this.update();
  }

  changed() {
    this.update();
    const { stock } = read_stock(this.texts, this.data.orders.capacity);
    if (stock === null) return;
    const address = address_of({ stock, day: this.day }, this.data.orders);
    window.history.replaceState(null, "", address || window.location.pathname);
  }

  update() {
    clearTimeout(this.timer);
    const { capacity, days } = this.data.orders;
    const { stock, problem } = read_stock(this.texts, capacity);
    if (stock === null) {
      this.view.show_problem(problem);
      return;
    }
    const { day, answers } = this;
    const order = answers.recommended(stock, day);
    const own = this.rules.map(({ policy, book }) => ({
      policy,
      order: book.order_for(day, stock),
    }));
    const answer = {
      order,
      own,
      largest: answers.largest(stock, day),
      limit: answers.limit(stock, day, order),
      capacity,
      margin: answers.margin,
      weekday: days > 1 ? weekday(day) : null,
      total: stock.reduce((sum, units) => sum + units, 0),
      choices: [],
    };
    this.view.show_order(answer);
    this.on_change({ stock, day, order });
    const also = own.map((rule) => rule.order);
    this.compute(answer, answers.choices(stock, day, also));
  }

  /** In slices: a large plan has millions of possible deliveries. */
  compute(answer, choices) {
    const end = performance.now() + SLICE;
    for (;;) {
      const { value: choice, done } = choices.next();
      if (done) {
        this.view.show_answer(answer);
        this.view.show_curve(answer);
        return;
      }
      answer.choices[choice.order] = choice;
      if (performance.now() > end) break;
    }
    if (has_reason(answer)) this.view.show_answer(answer);
    this.timer = setTimeout(() => this.compute(answer, choices));
  }
}

/** Whether the choices that the reason is about are known. */
function has_reason({ order, largest, choices }) {
  return order > 0 && choices[order - 1] && (order === largest || choices[order + 1]);
}

function hint(ages) {
  return ages === 0
    ? "Units last one day only, so the shelf is empty every morning."
    : "Enter the units on the shelf this morning, by the days they can still be used, including today.";
}

/**
 * Exported for the tests: the typed numbers as a stock, or what is wrong with them.
 * @param {string[]} texts
 * @param {number} capacity
 * @returns {{stock: ?number[], problem?: string}}
 */
export function read_stock(texts, capacity) {
  const stock = texts.map((text) => (text.trim() === "" ? 0 : Number(text)));
  if (stock.some((units) => !Number.isInteger(units) || units < 0)) {
    return { stock: null, problem: "Enter a whole number of units, 0 or more, in each field." };
  }
  const total = stock.reduce((sum, units) => sum + units, 0);
  if (total > capacity) {
    const above = `the stock of ${count(total)} is above the capacity of ${count(capacity)}`;
    return { stock: null, problem: `Order nothing: ${above}. Please check the numbers.` };
  }
  return { stock };
}
