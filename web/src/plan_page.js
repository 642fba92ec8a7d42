import { element } from "./dom.js";
import { certain, count, plain } from "./format.js";
import { page_data, section } from "./page_data.js";
import { show_page } from "./page_frame.js";
import { assumptions } from "./plan/assumptions.js";
import { attitudes } from "./plan/attitudes.js";
import { comparison } from "./plan/comparison.js";
import { orders_by_stock } from "./plan/orders_by_stock.js";
import { recommendation } from "./plan/recommendation.js";
import { records } from "./plan/records.js";
import { savings } from "./plan/savings.js";
import { today } from "./plan/today.js";
import { order_book } from "./stock_rank.js";

const SHORT_NAMES = {
  today: "Order today",
  savings: "Your rule",
  recommendation: "At a glance",
  stock: "Orders by stock",
  attitude: "Attitude to risk",
  comparison: "Other rules",
  records: "Your records",
  assumptions: "Assumptions",
  method: "How computed",
};

function method({ model, recommendation: best, simulation, seed, version, source }) {
  const [value, error] = certain(best.value_at_empty, best.error_bound, 7);
  return section(
    "method",
    "How this was computed",
    element(
      "p",
      { class: "small" },
      `From ${source}, by shortfall ${version}. A Markov decision process with ` +
        `${count(model.states)} states was solved for the policy that minimises the dynamic ` +
        `shortfall risk of cost with loss ${model.loss} and discount factor ` +
        `γ\u00a0=\u00a0${model.gamma}: a cost tomorrow counts ${plain(100 * model.gamma, 3)}\u202f% of ` +
        `the same cost today. The risk-adjusted cost from an empty shelf is ` +
        `${value}, with an error of at most ` +
        `${error}; the same bound holds for every other stock. All other ` +
        `figures on cost, demand met and waste come from ` +
        `${count(simulation.replications)} simulated runs of ${count(simulation.periods)} days with ` +
        `seed ${seed}. The cost of a run is discounted; costs per day are plain averages.`,
    ),
  );
}

function main() {
  const data = page_data();
  const book = order_book(data.orders);
  const stocks = orders_by_stock(data, book);
  const sections = [
    today(data, book, (stock) => stocks?.mark(stock)),
    savings(data),
    recommendation(data),
    stocks?.root ?? null,
    attitudes(data),
    comparison(data),
    records(data),
    assumptions(data),
    method(data),
  ].filter((part) => part !== null);
  const product = data.product ? `: ${data.product}` : "";
  document.title = `What to order${product} · shortfall`;
  show_page({
    title: `What to order${product}`,
    subtitle: [
      `Ordering plan for the stock described in ${data.source}${data.date ? `, ${data.date}` : ""}.`,
    ],
    settings: `shortfall ${data.version}, seed ${data.seed}`,
    sections,
    short_name: (id) => SHORT_NAMES[id],
  });
}

main();
