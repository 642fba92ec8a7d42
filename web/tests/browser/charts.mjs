/** The charts that a page with these data must have. */
export function expected_charts(data) {
  if (data.kind === "study") return study_charts(data);
  return data.kind === "report" ? report_charts(data) : plan_charts(data);
}

function study_charts({ tables }) {
  const differ = tables.ends.some((row) => row.limit_distance > 1e-9);
  return ["study-to-value", ...(differ ? ["study-to-limit"] : [])];
}

function report_charts({ studies }) {
  return studies.flatMap(({ study, tables }) => {
    const has = (table) => (tables[table] ?? []).length > 0;
    const wanted = {
      "table-m3": [
        ["gaps", "cells"],
        ["difference", "cells"],
        ["trained", "trained"],
      ],
      "table-m5": [
        ["gaps", "cells"],
        ["difference", "cells"],
        ["trained", "trained"],
        ["improvement", "exact_improvement"],
      ],
      "table-runtime": [["seconds", "cells"]],
      "figure-expectile": [["curves", "curves"]],
      "figure-soft-quantile": [["curves", "curves"]],
      "figure-policies": [["orders", "orders"]],
      "figure-gaps": [["gaps", "gaps"]],
      "figure-costs": [["distribution", "distribution"]],
      counterexample: [
        ["drift", "drift"],
        ["paths", "paths_summary"],
      ],
      averagers: [
        ["paths", "paths"],
        ["settles", "models"],
        ["errors", "models"],
        ["bound", "models"],
      ],
      intervals: [
        ["coverage", "cells"],
        ["ratios", "cells"],
      ],
      "platelet-week": [["orders", "orders"]],
    };
    return (wanted[study] ?? [])
      .filter(([, table]) => has(table))
      .map(([chart]) => `${study}-${chart}`);
  });
}

function plan_charts({ model, levels, policies, costs, arrival, values, records }) {
  const charts = ["demand"];
  if (values) charts.push("order-curve");
  if (records?.fit) charts.push("recorded-demand");
  if (model.shelf_life > 1) charts.push("orders");
  if (levels.length > 1) charts.push("levels");
  if (policies.length > 0) charts.push("rates", "cost-breakdown");
  if (costs.length > 0) charts.push("costs");
  if (!model.fresh && model.shelf_life > 1 && arrival.length > 0) charts.push("arrival");
  return charts;
}

/** How many visible marks the data of a chart have; run in the page. */
function count_marks_of(name) {
  const selector = ["line", "symbol", "rect", "rule", "area"]
    .map((kind) => `.mark-${kind} path, .mark-${kind} line`)
    .join(", ");
  const marks = document.querySelector(`figure[data-chart="${name}"]`)?.querySelectorAll(selector);
  return [...(marks ?? [])].filter((mark) => {
    const { width, height } = mark.getBoundingClientRect();
    return !mark.closest(".role-axis, .role-legend") && width + height > 1;
  }).length;
}

/** Every expected chart exists and has visible marks. */
export async function check_charts(page, data, report) {
  // The order curve is computed in slices, after the page has been drawn.
  const has_curve = expected_charts(data).includes("order-curve");
  if (has_curve) await page.waitForFunction(count_marks_of, "order-curve");
  const names = await page.evaluate(() =>
    [...document.querySelectorAll("figure[data-chart]")].map((figure) => figure.dataset.chart),
  );
  const seen = {};
  for (const name of names) seen[name] = await page.evaluate(count_marks_of, name);
  for (const name of expected_charts(data)) {
    if (seen[name] === undefined) report(`chart ${name} is missing`);
    else if (seen[name] === 0) report(`chart ${name} is empty`);
  }
  const labels = await page.evaluate(() =>
    [...document.querySelectorAll("figure[data-chart]")]
      .filter(
        (figure) =>
          !figure.querySelector("figcaption strong")?.textContent ||
          !figure.querySelector(".plot")?.getAttribute("aria-label"),
      )
      .map((figure) => figure.dataset.chart),
  );
  labels.forEach((name) => report(`chart ${name} has no caption or label`));
}
