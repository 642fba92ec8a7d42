// Every chart compiles and runs, without a warning, wide and narrow, light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, View } from "vega";
import { compile } from "vega-lite";
import { arrival_bars } from "../src/charts/arrival_bars.js";
import { convergence_panels } from "../src/charts/convergence_panels.js";
import { cost_distribution } from "../src/charts/cost_distribution.js";
import { cost_parts } from "../src/charts/cost_parts.js";
import { drift_lines } from "../src/charts/drift_lines.js";
import { gap_by_iteration } from "../src/charts/gap_by_iteration.js";
import { gap_dots } from "../src/charts/gap_dots.js";
import { level_lines } from "../src/charts/level_lines.js";
import { order_maps } from "../src/charts/order_maps.js";
import { order_range } from "../src/charts/order_range.js";
import { policy_bars } from "../src/charts/policy_bars.js";
import { printed_difference } from "../src/charts/printed_difference.js";
import { runtime_dots } from "../src/charts/runtime_dots.js";
import { sample_paths } from "../src/charts/sample_paths.js";
import { unit_bars } from "../src/charts/unit_bars.js";
import { chart_config, theme_for } from "../src/theme.js";
import { plan_data, report_data } from "./fixture.mjs";

const { studies } = report_data();
const tables = Object.fromEntries(studies.map(({ study, tables: own }) => [study, own]));
const plan = plan_data({ shelf_life: 3, days: 7 });
const rules = plan.policies.map((policy) => ({ ...policy, name: policy.policy }));

const SURROUNDINGS = [
  { width: 850, room: 920, phone: false, theme: theme_for("light") },
  { width: 270, room: 330, phone: true, theme: theme_for("dark") },
];

const CHARTS = {
  gap_dots: (around) =>
    gap_dots(
      {
        rows: tables["table-m3"].cells,
        panel_key: "policy",
        panels: ["Static", "TD"],
        series: [
          { key: "paper_gap_percent", label: "paper" },
          { key: "true_gap_percent", label: "true" },
        ],
      },
      around,
    ),
  printed_difference: (around) => printed_difference(tables["table-m5"].cells, around),
  runtime_dots: (around) => runtime_dots(tables["table-runtime"].cells, around),
  convergence_panels: (around) => {
    const { curves, settings } = tables["figure-expectile"];
    return convergence_panels(
      { level: "tau", curves, settings, levels: [0.1, 0.4, 0.5, 0.6, 0.9] },
      around,
    );
  },
  "convergence_panels of soft quantiles": (around) => {
    const { curves, settings } = tables["figure-soft-quantile"];
    return convergence_panels({ level: "mu", curves, settings, levels: [0.2, 0.5, 0.8] }, around);
  },
  drift_lines: (around) => drift_lines(tables.counterexample.drift, around),
  sample_paths: (around) =>
    sample_paths(
      { paths: tables.counterexample.paths, means: tables.counterexample.paths_summary },
      around,
    ),
  order_maps: (around) => {
    const rows = tables["figure-policies"].orders.slice(0, 231);
    return order_maps(
      {
        panels: [
          { title: "one", rows },
          { title: "two", rows },
        ],
        columns: 2,
      },
      around,
    );
  },
  gap_by_iteration: (around) => gap_by_iteration(tables["figure-gaps"].gaps, 3, around),
  cost_distribution: (around) => {
    const rows = plan.costs.map((row) => ({ ...row, series: row.policy }));
    const labels = rules.map(({ policy }) => policy);
    return cost_distribution(
      { panels: [{ title: null, rows }], labels, x_title: "cost", y_title: "share" },
      around,
    );
  },
  level_lines: (around) =>
    level_lines(
      {
        levels: plan.levels,
        measures: [{ key: "service_level", title: "Service", format: ".1%" }],
        x_title: "level",
      },
      around,
    ),
  policy_bars: (around) =>
    policy_bars(
      { policies: rules, measures: [{ key: "wastage_rate", title: "Waste", format: ".2f" }] },
      around,
    ),
  cost_parts: (around) =>
    cost_parts(
      { policies: rules, parts: [{ key: "order_cost_per_period", label: "ordering" }] },
      around,
    ),
  unit_bars: (around) =>
    unit_bars([{ title: "Monday", rows: plan.demand.filter(({ day }) => day === 0) }], around),
  arrival_bars: (around) => arrival_bars(plan.arrival, around),
  order_range: (around) =>
    order_range(
      [{ title: null, rows: plan.recommendation.by_total.filter(({ day }) => day === 0) }],
      around,
    ),
};

/** A Vega logger that keeps what it is told. */
function listener() {
  const said = [];
  const keep = (...words) => {
    said.push(words.join(" "));
    return logger;
  };
  const logger = {
    warn: keep,
    error: keep,
    info: () => logger,
    debug: () => logger,
    level: () => logger,
  };
  return { logger, said };
}

for (const [name, make] of Object.entries(CHARTS)) {
  for (const around of SURROUNDINGS) {
    test(`${name} draws without warnings at ${around.width} pixels`, async () => {
      const { is_narrow, ...spec } = make(around);
      const { logger, said } = listener();
      const compiled = compile(spec, { config: chart_config(around.theme), logger }).spec;
      const view = new View(parse(compiled), { renderer: "none", logger });
      const svg = await view.toSVG();
      assert.deepEqual(said, []);
      assert.match(svg, /class="mark-(line|symbol|rect|rule|area)/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
    });
  }
}

test("the logger of these tests hears a warning", () => {
  const { logger, said } = listener();
  const spec = {
    data: { values: [] },
    mark: "bar",
    encoding: {
      x: { field: "a", type: "quantitative" },
      shape: { field: "b", type: "quantitative" },
    },
  };
  compile(spec, { logger });
  assert.ok(said.length > 0);
});
