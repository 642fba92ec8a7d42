import { element } from "./dom.js";
import { count, plain, significant } from "./format.js";
import { page_data, section } from "./page_data.js";
import { show_page } from "./page_frame.js";
import { assumptions } from "./plan/assumptions.js";
import { attitudes } from "./plan/attitudes.js";
import { comparison } from "./plan/comparison.js";
import { order_lookup } from "./plan/order_lookup.js";
import { orders_by_stock } from "./plan/orders_by_stock.js";
import { recommendation } from "./plan/recommendation.js";
import { order_book } from "./stock_rank.js";

const SHORT_NAMES = {
  recommendation: "Recommendation",
  today: "Order today",
  stock: "Orders by stock",
  attitude: "Attitude to risk",
  comparison: "Simpler rules",
  assumptions: "Assumptions",
  method: "How computed",
};

function method({ model, recommendation: best, simulation, seed, version, source }) {
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
        `${significant(best.value_at_empty, 6)}, with an error of at most ` +
        `${significant(best.error_bound, 1)}; the same bound holds for every other stock. All other ` +
        `figures on cost, demand met and waste come from ` +
        `${count(simulation.replications)} simulated runs of ${count(simulation.periods)} days with ` +
        `seed ${seed}. The cost of a run is discounted; costs per day are plain averages.`,
    ),
  );
}

function main() {
  const data = page_data();
  const book = order_book(data.orders);
  const sections = [
    recommendation(data),
    order_lookup(data, book),
    orders_by_stock(data, book),
    attitudes(data),
    comparison(data),
    assumptions(data),
    method(data),
  ].filter((part) => part !== null);
  show_page({
    title: "What to order",
    subtitle: [`Ordering plan for the stock described in ${data.source}.`],
    settings: `shortfall ${data.version}, seed ${data.seed}`,
    sections,
    short_name: (id) => SHORT_NAMES[id],
  });
}

main();
