// Every chart compiles and runs without warnings, wide and narrow, light and dark.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, View } from "vega";
import { compile } from "vega-lite";
import { arrival_bars } from "../src/charts/arrival_bars.js";
import { averager_paths } from "../src/charts/averager_paths.js";
import { weekday } from "../src/plan/labels.js";
import { convergence_panels } from "../src/charts/convergence_panels.js";
import { cost_distribution } from "../src/charts/cost_distribution.js";
import { cost_breakdown } from "../src/charts/cost_breakdown.js";
import { discount_lines } from "../src/charts/discount_lines.js";
import { drift_lines } from "../src/charts/drift_lines.js";
import { gap_by_iteration } from "../src/charts/gap_by_iteration.js";
import { gap_dots } from "../src/charts/gap_dots.js";
import { interval_dots } from "../src/charts/interval_dots.js";
import { level_lines } from "../src/charts/level_lines.js";
import { order_maps } from "../src/charts/order_maps.js";
import { demand_counts, unit_bars } from "../src/charts/demand_bars.js";
import { order_curve } from "../src/charts/order_curve.js";
import { order_heat } from "../src/charts/order_heat.js";
import { order_range } from "../src/charts/order_range.js";
import { policy_bars } from "../src/charts/policy_bars.js";
import { printed_difference } from "../src/charts/printed_difference.js";
import { runtime_dots } from "../src/charts/runtime_dots.js";
import { sample_paths } from "../src/charts/sample_paths.js";
import { week_orders } from "../src/charts/week_orders.js";
import { bound_data, error_data, settle_data } from "../src/report/averagers.js";
import { coverage_data, ratio_data } from "../src/report/intervals.js";
import { panel_data } from "../src/study/curves.js";
import { chart_config, theme_for } from "../src/theme.js";
import { plan_data, recorded_data, report_data, study_data } from "./fixture.mjs";

const { studies } = report_data();
const tables = Object.fromEntries(studies.map(({ study, tables: own }) => [study, own]));
const study = study_data();
const plan = plan_data({ shelf_life: 3, days: 7 });
const with_weekday = (deliveries) =>
  plan_data({ shelf_life: 3, days: 7, deliveries }).arrival.map((row) => ({
    ...row,
    weekday: weekday(row.day),
  }));
const rules = plan.policies.map((policy) => ({ ...policy, name: policy.policy }));

const CONTEXTS = [
  { width: 850, full_width: 920, phone: false, theme: theme_for("light") },
  { width: 270, full_width: 330, phone: true, theme: theme_for("dark") },
];

const CHARTS = {
  gap_dots: (context) =>
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
      context,
    ),
  printed_difference: (context) => printed_difference(tables["table-m5"].cells, context),
  runtime_dots: (context) => runtime_dots(tables["table-runtime"].cells, context),
  convergence_panels: (context) => {
    const { curves, settings } = tables["figure-expectile"];
    return convergence_panels(
      { level: "tau", curves, settings, levels: [0.1, 0.4, 0.5, 0.6, 0.9] },
      context,
    );
  },
  "convergence_panels of soft quantiles": (context) => {
    const { curves, settings } = tables["figure-soft-quantile"];
    return convergence_panels({ level: "mu", curves, settings, levels: [0.2, 0.5, 0.8] }, context);
  },
  "convergence_panels of a study": (context) => {
    const data = panel_data(study.tables, "to_value");
    return convergence_panels(
      {
        ...data,
        level: "loss",
        levels: ["mean", "expectile:0.9"],
        others: ["features", "gamma"],
        algorithms: ["td", "newton", "td-lambda:0.6", "averager-td"],
        title: () => ({ text: "a study" }),
        unit: "updates",
      },
      context,
    );
  },
  drift_lines: (context) => drift_lines(tables.counterexample.drift, context),
  sample_paths: (context) =>
    sample_paths(
      { paths: tables.counterexample.paths, means: tables.counterexample.paths_summary },
      context,
    ),
  "interval_dots of coverage": (context) =>
    interval_dots(coverage_data(tables.intervals.cells), context),
  week_orders: (context) => week_orders(tables["platelet-week"].orders, context),
  averager_paths: (context) => averager_paths(tables.averagers.paths, context),
  "discount_lines of models that settle": (context) =>
    discount_lines(settle_data(tables.averagers.models), context),
  "discount_lines of errors": (context) =>
    discount_lines(error_data(tables.averagers.models, "expectile:0.99"), context),
  "discount_lines of the bound": (context) =>
    discount_lines(bound_data(tables.averagers.models), context),
  "interval_dots of ratios": (context) => interval_dots(ratio_data(tables.intervals.cells), context),
  order_maps: (context) => {
    const rows = tables["figure-policies"].orders.slice(0, 231);
    return order_maps(
      {
        panels: [
          { title: "one", rows },
          { title: "two", rows },
        ],
        columns: 2,
      },
      context,
    );
  },
  gap_by_iteration: (context) => gap_by_iteration(tables["figure-gaps"].gaps, 3, context),
  cost_distribution: (context) => {
    const rows = plan.costs.map((row) => ({ ...row, series: row.policy }));
    const labels = rules.map(({ policy }) => policy);
    return cost_distribution(
      { panels: [{ title: null, rows }], labels, x_title: "cost", y_title: "share" },
      context,
    );
  },
  level_lines: (context) =>
    level_lines(
      {
        levels: plan.levels,
        measures: [{ key: "service_level", title: "Service", format: ".1%" }],
        x_title: "level",
      },
      context,
    ),
  policy_bars: (context) =>
    policy_bars(
      { policies: rules, measures: [{ key: "wastage_rate", title: "Waste", format: ".2f" }] },
      context,
    ),
  cost_breakdown: (context) =>
    cost_breakdown(
      { policies: rules, components: [{ key: "order_cost_per_period", label: "ordering" }] },
      context,
    ),
  unit_bars: (context) =>
    unit_bars([{ title: "Monday", rows: plan.demand.filter(({ day }) => day === 0) }], context),
  arrival_bars: (context) => arrival_bars(plan.arrival, context),
  arrival_bars_by_day: (context) => arrival_bars(with_weekday(["day"]), context),
  arrival_bars_by_day_and_order: (context) => arrival_bars(with_weekday(["day", "order"]), context),
  arrival_bars_of_shares: (context) => arrival_bars(plan_data({ deliveries: [] }).arrival, context),
  order_curve: (context) =>
    order_curve(
      {
        rows: [3, 4, 5, 6].map((order) => ({
          order,
          extra: (order - 5) ** 2,
          chance_of_shortage: 0.1,
          expected_expired_in_all: 0.2,
        })),
        best: 5,
        own: [{ order: 6, name: "Order up to 6" }],
      },
      context,
    ),
  order_heat: (context) => {
    const cells = [0, 1, 2, 3].flatMap((total) =>
      Array.from({ length: total + 1 }, (_, oldest) => ({
        total,
        oldest,
        least: Math.max(0, 2 - total),
        most: Math.max(0, 3 - total),
        average: Math.max(0, 2.5 - total),
      })),
    );
    return order_heat({ cells, marked: { total: 1, oldest: 1 } }, context);
  },
  demand_counts: (context) =>
    demand_counts([{ title: null, rows: recorded_data().fit.counts }], context),
  order_range: (context) =>
    order_range(
      [{ title: null, rows: plan.recommendation.by_total.filter(({ day }) => day === 0) }],
      context,
    ),
};

/** A Vega logger that records warnings and errors. */
function recording_logger() {
  const messages = [];
  const keep = (...parts) => {
    messages.push(parts.join(" "));
    return logger;
  };
  const logger = {
    warn: keep,
    error: keep,
    info: () => logger,
    debug: () => logger,
    level: () => logger,
  };
  return { logger, messages };
}

for (const [name, make] of Object.entries(CHARTS)) {
  for (const context of CONTEXTS) {
    test(`${name} draws without warnings at ${context.width} pixels`, async () => {
      const { is_narrow, ...spec } = make(context);
      const { logger, messages } = recording_logger();
      const compiled = compile(spec, { config: chart_config(context.theme), logger }).spec;
      const view = new View(parse(compiled), { renderer: "none", logger });
      const svg = await view.toSVG();
      assert.deepEqual(messages, []);
      assert.match(svg, /class="mark-(line|symbol|rect|rule|area)/);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
    });
  }
}

/** The texts of a chart. */
async function texts_of(make) {
  const { is_narrow, ...spec } = make(CONTEXTS[0]);
  const compiled = compile(spec, { config: chart_config(CONTEXTS[0].theme) }).spec;
  const svg = await new View(parse(compiled), { renderer: "none" }).toSVG();
  return [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
}

test("an axis of shares has labels that differ, however close the shares are", async () => {
  const cases = [
    [0.5, 0.9, /^\d\d%$/],
    [0.99912, 0.99987, /^(99\.9\d?|100)%$/],
    [0.9999991, 0.9999999, /^(99\.9999\d*|100)%$/],
    [1, 1, /^100%$/],
  ];
  for (const [low, high, pattern] of cases) {
    const texts = await texts_of((context) =>
      level_lines(
        {
          levels: [low, high].map((share, level) => ({ level, share, is_chosen: level === 0 })),
          measures: [{ key: "share", title: "Demand met", format: ".1~%" }],
          x_title: "level",
        },
        context,
      ),
    );
    const labels = texts.filter((text) => text.endsWith("%"));
    assert.ok(labels.length >= (low < high ? 2 : 1), `${low}: ${labels}`);
    assert.equal(new Set(labels).size, labels.length, `${low}: ${labels}`);
    for (const label of labels) assert.match(label, pattern);
  }
});

test("the costs of other orders are in the currency, if there is one", async () => {
  const rows = [1, 2, 3].map((order) => ({ order, extra: order - 1 }));
  const titles = (more) =>
    texts_of((context) => order_curve({ rows, best: 1, own: [], ...more }, context));
  assert.ok((await titles({})).includes("costs more"));
  assert.ok((await titles({ currency: "EUR" })).includes("costs more, EUR"));
});

test("sample paths have a legend, and ticks also where weights hardly change", async () => {
  const rows = (field, values) =>
    values.map((value, i) => ({ p: 0.9, root: "larger", iteration: 10 ** i, path: 0, [field]: value }));
  const data = (values) => ({ paths: rows("theta", values), means: rows("mean_theta", values) });
  for (const [values, ticks] of [
    [[1, 1.1, 1.3], ["1", "1.2", "1.4"]],
    [[1, 1.0001, 1.0002], ["0.9", "1", "1.1"]],
    [[1, 4, 30], ["1", "2", "5", "10", "20"]],
  ]) {
    const texts = await texts_of((context) => sample_paths(data(values), context));
    for (const text of ["mean of all paths", "a path", ...ticks]) {
      assert.ok(texts.includes(text), `${text} is not among ${texts}`);
    }
  }
});
test("the logger of these tests records a warning", () => {
  const { logger, messages } = recording_logger();
  const spec = {
    data: { values: [] },
    mark: "bar",
    encoding: {
      x: { field: "a", type: "quantitative" },
      shape: { field: "b", type: "quantitative" },
    },
  };
  compile(spec, { logger });
  assert.ok(messages.length > 0);
});
