import { element } from "../dom.js";
import { VERDICTS, verdict_badge, verdict_icon } from "../findings.js";
import { count, duration, fixed, listed, percent, plural } from "../format.js";
import { section } from "../page_data.js";
import { table_card } from "../table_card.js";
import { tiles } from "../tiles.js";
import {
  count_verdicts,
  exact_cells,
  own_claims,
  shelf_life_eight,
  stopping_rule,
} from "./facts.js";
import { short_name } from "./study_names.js";

/**
 * The top of the report: the questions and the main results.
 * @param {Object[]} studies
 * @param {{scale: string, seed: number, version: string}} run
 * @returns {HTMLElement}
 */
export function overview(studies, run) {
  const verdicts = count_verdicts(studies);
  return section(
    "overview",
    "Questions and results",
    run.scale === "quick" ? quick_note() : null,
    element(
      "p",
      { class: "lead" },
      "Wang and Delage show how to estimate the value of a policy under a risk measure online, from " +
        "a stream of observed transitions, and apply it to an inventory of perishable blood " +
        "platelets. Are their tables and figures correct, and do they support the conclusions? Each " +
        "was recomputed, exactly wherever possible, and is shown here next to the published values.",
    ),
    verdict_tiles(verdicts, studies, run),
    element(
      "ul",
      { class: "plain" },
      main_results(studies).map((text) => element("li", {}, text)),
    ),
    refuted_list(studies),
    changed_list(studies),
    verdict_table(studies),
  );
}

function quick_note() {
  return element(
    "p",
    { class: "note", role: "note" },
    element("strong", {}, "This is a quick run. "),
    "It has fewer runs, iterations and settings than the paper, so random results are less precise, " +
      "curves end earlier and many claims stay open.",
  );
}

function verdict_tiles(verdicts, studies, run) {
  const ours = own_claims(studies);
  const including_ours = (verdict) =>
    ours[verdict] > 0 ? `, including ${count(ours[verdict])} of our own` : "";
  const remarks = {
    confirmed: `claims that hold here${including_ours("confirmed")}`,
    refuted: `claims that do not hold here${including_ours("refuted")}`,
    open: open_reason(run.scale),
  };
  const cells = exact_cells(studies);
  const list = Object.keys(VERDICTS).map((verdict) => ({
    figure: element(
      "span",
      { class: `verdict ${verdict}` },
      verdict_icon(verdict),
      count(verdicts[verdict]),
    ),
    name: VERDICTS[verdict].label,
    remark: remarks[verdict],
  }));
  if (cells.length > 0) {
    list.push({
      figure: cells.map(({ matching }) => count(matching)).join(" + "),
      name: "Equal to the printed digit",
      remark: `of ${cells.map((table) => count(table.cells)).join(" + ")} deterministic values`,
    });
  }
  return tiles(list);
}

/**
 * Exported for the tests: why claims are open.
 * @param {string} scale of the run
 * @returns {string}
 */
export function open_reason(scale) {
  return scale === "quick"
    ? "not settled by this quick run, which is shorter than the paper's"
    : "the results are mixed or too close to call; see each finding";
}

function main_results(studies) {
  return [digits_result(studies), stopping_result(studies), eight_result(studies)].filter(Boolean);
}

function digits_result(studies) {
  const tables = exact_cells(studies);
  if (tables.length === 0) return null;
  const parts = tables.map(({ name, matching, cells }) => {
    const life = name === "table-m3" ? "3" : "5";
    const how_many =
      matching === cells ? `all ${count(cells)}` : `${count(matching)} of ${count(cells)}`;
    return `${how_many} at shelf life ${life}`;
  });
  return (
    `Under the paper's stopping rule, the values of the exact policies agree with the printed ` +
    `values to the last digit: ${listed(parts)}.`
  );
}

function stopping_result(studies) {
  const rule = stopping_rule(studies);
  if (!rule) return null;
  const gaps =
    rule.vanishing > 0
      ? `, and ${plural(rule.vanishing, "gap")} of 0.01\u202f% or more between exact policies ` +
        `${rule.vanishing === 1 ? "results" : "result"} only from stopping early: after convergence ` +
        `${rule.vanishing === 1 ? "it is" : "they are"} below 0.005\u202f%`
      : `, and gaps change by up to ${fixed(rule.largest_change, 2)} percentage points`;
  return (
    "The paper stops iterating once a step changes values by less than 0.01 (shelf life 3) or 0.1 " +
    `(shelf life 5), before the values have converged: they are too low by up to ` +
    `${percent(rule.too_low_percent / 100, 2)}${gaps}.`
  );
}

function eight_result(studies) {
  const eight = shelf_life_eight(studies);
  if (!eight) return null;
  const hours = [...new Set([eight.least_paper_hours, eight.most_paper_hours])]
    .filter((number) => number !== null)
    .map((number) => fixed(number, 0))
    .join(" to ");
  const paper = hours
    ? `; the paper reports more than ${hours} hours for evaluating a single policy and stops there`
    : "";
  return (
    `At shelf life 8, with ${count(eight.states)} states, the exact optimum was computed in at most ` +
    `${duration(eight.slowest_optimum_seconds)} per setting${paper}.`
  );
}

/** The refuted claims, which readers of the paper should see first. */
function refuted_list(studies) {
  const items = studies.flatMap(({ study, findings }) =>
    findings
      .filter(({ verdict }) => verdict === "refuted")
      .map(({ claim }) =>
        element(
          "li",
          {},
          `${claim} `,
          element("a", { href: `#${study}` }, short_name(study)),
        ),
      ),
  );
  if (items.length === 0) return null;
  return element(
    "div",
    { class: "refutations" },
    element("h3", {}, verdict_badge("refuted"), " Claims that do not hold"),
    element("p", {}, "The links lead to what was found instead."),
    element("ul", { class: "plain" }, items),
  );
}

/** Statements on which training as published and our training disagree. */
function changed_list(studies) {
  const items = studies.flatMap(({ study, tables }) =>
    (tables.changed_sides ?? []).map(({ claim, ours, as_published }) =>
      element(
        "li",
        {},
        verdict_badge(as_published),
        ` with training as published, ${ours} with ours: ${claim} `,
        element("a", { href: `#${study}` }, short_name(study)),
      ),
    ),
  );
  if (items.length === 0) return null;
  return element(
    "div",
    { class: "refutations" },
    element("h3", {}, "Claims that depend on how policies are trained"),
    element(
      "p",
      {},
      "Verdicts rest on training as published, under several choices of what the paper leaves open.",
    ),
    element("ul", { class: "plain" }, items),
  );
}

function verdict_table(studies) {
  const verdicts = Object.keys(VERDICTS);
  const rows = studies.map((study) => {
    const counts = count_verdicts([study]);
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("a", { href: `#${study.study}` }, short_name(study.study)),
      ),
      element("td", { class: "prose" }, study.source.replace(/^Wang and Delage, /, "")),
      verdicts.map((verdict) =>
        element("td", { class: "number" }, counts[verdict] > 0 ? count(counts[verdict]) : "·"),
      ),
    );
  });
  const heads = verdicts.map((verdict) =>
    element("th", { scope: "col", class: "number" }, verdict_badge(verdict)),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Study"),
    element("th", { scope: "col", class: "prose" }, "In the paper"),
    heads,
  );
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, rows));
  return table_card({ name: "verdicts", caption: "Findings by study", table });
}
