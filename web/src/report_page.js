import { element } from "./dom.js";
import { findings_list } from "./findings.js";
import { page_data, section } from "./page_data.js";
import { show_page } from "./page_frame.js";
import { averagers } from "./report/averagers.js";
import { convergence } from "./report/convergence.js";
import { counterexample } from "./report/counterexample.js";
import { intervals } from "./report/intervals.js";
import { best_orders, cost_distributions, gaps_by_iteration } from "./report/orders_and_costs.js";
import { overview } from "./report/overview.js";
import { platelet_week } from "./report/platelet_week.js";
import { runtime } from "./report/runtime.js";
import { short_name } from "./report/study_names.js";
import { value_tables } from "./report/value_tables.js";

const BODIES = {
  "table-m3": value_tables,
  "table-m5": value_tables,
  "table-runtime": runtime,
  "figure-expectile": convergence,
  "figure-soft-quantile": convergence,
  "figure-policies": best_orders,
  "figure-gaps": gaps_by_iteration,
  "figure-costs": cost_distributions,
  counterexample,
  averagers,
  intervals,
  "platelet-week": platelet_week,
};

function study_section(study) {
  const body = BODIES[study.study];
  return section(
    study.study,
    study.title,
    element("p", { class: "question" }, study.question),
    element("p", { class: "source" }, study.source),
    findings_list(study.findings),
    ...(body ? body(study) : []),
  );
}

function main() {
  const { studies, run } = page_data();
  const settings = `shortfall ${run.version}, ${run.scale} run, seed ${run.seed}`;
  show_page({
    title: "Tables and figures, reproduced",
    subtitle: [
      "Wang and Delage, ",
      element("cite", {}, "Online Policy Evaluation for MDPs with Dynamic UBSR Measures"),
      `. ${settings}.`,
    ],
    settings,
    sections: [overview(studies, run), ...studies.map(study_section)],
    short_name: (id) => (id === "overview" ? "Overview" : short_name(id)),
  });
}

main();
