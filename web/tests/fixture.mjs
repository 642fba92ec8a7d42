// Made-up but plausible data, in the format that the commands write, for the tests of the pages.
//   node tests/fixture.mjs TEMPLATES OUT     writes sample pages
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { plan_data } from "./fixture/plan.mjs";
import { recorded_data } from "./fixture/records.mjs";
import { report_data } from "./fixture/report.mjs";
import { study_data } from "./fixture/study.mjs";

export { plan_data, recorded_data, report_data, study_data };

/** The sample plans: shelf life, days, capacity. */
export const PLAN_SHAPES = {
  plan1: { shelf_life: 1, levels: 1 },
  plan2: { shelf_life: 2 },
  plan3: { shelf_life: 3 },
  plan3week: { shelf_life: 3, days: 7 },
  plan5: { shelf_life: 5 },
  plan4week: { shelf_life: 4, days: 7 },
  plan3large: { shelf_life: 3, capacity: 60 },
  plan8: { shelf_life: 8 },
  plan3closed: { shelf_life: 3, days: 7, deliveries: ["day"], closed: true, price: 2 },
  plan3shares: { shelf_life: 3, deliveries: [] },
  plan4records: { shelf_life: 4, days: 7, own: ["base-stock:12", "fixed:6"], records: true },
  plan5novalues: { shelf_life: 5, own: ["base-stock:12"], values: false },
  plan3delivery: { shelf_life: 3, days: 7, deliveries: ["day", "order"] },
};

/**
 * Puts data into a template, as the commands do.
 * @param {string} template
 * @param {Object} data
 * @returns {string}
 */
export function fill(template, data) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return template.replace(
    "<!--DATA-->",
    () => `<script type="application/json" id="data">${json}</script>`,
  );
}

/** @returns {Object} data of a report with most parts missing */
export function partial_report_data() {
  const { studies, run, kind } = report_data();
  const some = studies.filter(({ study }) => study === "table-m3" || study === "figure-costs");
  const [values, costs] = some;
  return {
    kind,
    studies: [
      { ...values, findings: [], facts: {}, tables: {} },
      { ...costs, tables: { distribution: costs.tables.distribution } },
      { ...costs, study: "a-later-study", title: "A study this page does not know", tables: {} },
    ],
    run: { ...run, scale: "full" },
  };
}

async function main(templates, out) {
  await mkdir(out, { recursive: true });
  const report = await readFile(join(templates, "report.html"), "utf8");
  const plan = await readFile(join(templates, "plan.html"), "utf8");
  const study = await readFile(join(templates, "study.html"), "utf8");
  await writeFile(join(out, "study.html"), fill(study, study_data()));
  await writeFile(join(out, "report.html"), fill(report, report_data()));
  await writeFile(join(out, "report-partial.html"), fill(report, partial_report_data()));
  for (const [name, shape] of Object.entries(PLAN_SHAPES)) {
    await writeFile(join(out, `${name}.html`), fill(plan, plan_data(shape)));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await main(process.argv[2], process.argv[3]);
