import { element } from "../dom.js";
import { VERDICTS, verdict_badge, verdict_icon } from "../findings.js";
import { count, duration, fixed, listed, percent, plural } from "../format.js";
import { section } from "../page_data.js";
import { table_card } from "../table_card.js";
import { tiles } from "../tiles.js";
import { count_verdicts, exact_cells, shelf_life_eight, stopping_rule } from "./facts.js";
import { short_name } from "./study_names.js";

/**
 * The top of the report: the questions and the main results.
 * @param {Object[]} studies
 * @param {{scale: string, seed: number, version: string}} run
 * @returns {HTMLElement}
 */
export function overview(studies, run) {
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
    verdict_tiles(studies, run),
    element("p", {}, `${own_sentence(studies)} ${origin_sentence(run)}`),
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

function verdict_tiles(studies, run) {
  const verdicts = count_verdicts(studies, "paper");
  const remarks = {
    confirmed: "claims of the paper that hold here",
    refuted: "claims of the paper that do not hold",
    "not-reproduced":
      "claims that held under none of our choices of what the paper leaves open; it may have made " +
      "another one",
    "not-comparable": "claims about the running time of another program on another machine",
    open: open_reason(run.scale),
  };
  const cells = exact_cells(studies);
  const occurring = Object.keys(VERDICTS).filter((verdict) => verdicts[verdict] > 0);
  const list = occurring.map((verdict) => ({
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

/** Our own claims are counted apart: that they hold says nothing about the paper. */
function own_sentence(studies) {
  const counts = count_verdicts(studies, "ours");
  const parts = Object.keys(VERDICTS)
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${count(counts[verdict])} ${VERDICTS[verdict].label.toLowerCase()}`);
  return parts.length === 0 ? "" : `Of our own claims, ${listed(parts)}.`;
}

/** Exported for the tests: which program computed this, when and where. */
export function origin_sentence({ version, commit, date, processor, cores, source_hash }) {
  const program = `shortfall ${version}${commit ? `, commit ${commit}` : ", built outside a git tree"}`;
  const machine = `${processor || "a processor of unknown model"}, ${plural(cores, "core")}`;
  return (
    `Computed by ${program}, sources ${source_hash}${date ? `, on ${date}` : ""}; times are those of ` +
    `${machine}.`
  );
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

/** The refuted claims of the paper, which its readers should see first. */
function refuted_list(studies) {
  const items = studies.flatMap(({ study, findings }) =>
    findings
      .filter(({ verdict, origin }) => verdict === "refuted" && origin === "paper")
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
    element("h3", {}, verdict_badge("refuted"), " Claims of the paper that do not hold"),
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
        ` with training as published, ${VERDICTS[ours].label.toLowerCase()} with ours: ${claim} `,
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
  const rows = studies.flatMap((study) =>
    ["paper", "ours"].flatMap((origin) => {
      const counts = count_verdicts([study], origin);
      if (Object.keys(counts).length === 0) return [];
      const whose =
        origin === "ours" ? "our own claims" : study.source.replace(/^Wang and Delage, /, "");
      return [
        element(
          "tr",
          {},
          element(
            "th",
            { scope: "row" },
            element("a", { href: `#${study.study}` }, short_name(study.study)),
          ),
          element("td", { class: "prose" }, whose),
          verdicts.map((verdict) =>
            element("td", { class: "number" }, counts[verdict] ? count(counts[verdict]) : "·"),
          ),
        ),
      ];
    }),
  );
  const heads = verdicts.map((verdict) =>
    element("th", { scope: "col", class: "number" }, verdict_badge(verdict)),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Study"),
    element("th", { scope: "col", class: "prose" }, "Claims of"),
    heads,
  );
  const table = element("table", {}, element("thead", {}, head), element("tbody", {}, rows));
  return table_card({ name: "verdicts", caption: "Findings by study", table });
}
