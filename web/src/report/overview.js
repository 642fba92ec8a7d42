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
 * The top of the report: what was asked and what came out, for those who read no further.
 * @param {Object[]} studies
 * @param {{scale: string, seed: number, version: string}} run
 * @returns {HTMLElement}
 */
export function overview(studies, run) {
  const verdicts = count_verdicts(studies);
  return section(
    "overview",
    "What was asked, and what came out",
    run.scale === "quick" ? quick_note() : null,
    element(
      "p",
      { class: "lead" },
      "Wang and Delage show how to learn, from a stream of experience, what a decision rule is " +
        "worth to someone who minds bad outcomes more than good ones, and try it on a stock of " +
        "blood platelets that perish. Are their tables and figures right, and do they say what " +
        "they seem to say? Each was computed again, exactly wherever that is possible, and stands " +
        "here beside what they printed.",
    ),
    verdict_tiles(verdicts, studies),
    element(
      "ul",
      { class: "plain" },
      main_points(studies).map((text) => element("li", {}, text)),
    ),
    refuted_list(studies),
    glance_table(studies),
  );
}

function quick_note() {
  return element(
    "p",
    { class: "note", role: "note" },
    element("strong", {}, "This is the quick run. "),
    "It has fewer runs and fewer iterations than the paper, so that what is random is rougher " +
      "here, and curves end earlier.",
  );
}

function verdict_tiles(verdicts, studies) {
  const ours = own_claims(studies);
  const whose = (verdict) =>
    ours[verdict] > 0 ? `; the paper's but for ${count(ours[verdict])} of our own` : "";
  const remarks = {
    confirmed: `the claim holds here${whose("confirmed")}`,
    refuted: `it does not${whose("refuted")}`,
    open: "it cannot be told from what is printed",
  };
  const cells = exact_cells(studies).filter((table) => table.cells > 0);
  const list = Object.keys(VERDICTS).map((verdict) => ({
    figure: element(
      "span",
      { class: `verdict ${verdict}` },
      verdict_icon(verdict),
      count(verdicts[verdict]),
    ),
    name: VERDICTS[verdict].word,
    remark: remarks[verdict],
  }));
  if (cells.length > 0) {
    list.push({
      figure: cells.map(({ matching }) => count(matching)).join(" + "),
      name: "Same to the printed digit",
      remark: `of ${cells.map((table) => count(table.cells)).join(" + ")} values that are not random`,
    });
  }
  return tiles(list);
}

function main_points(studies) {
  return [digits_point(studies), stopping_point(studies), eight_point(studies)].filter(Boolean);
}

function digits_point(studies) {
  const tables = exact_cells(studies).filter((table) => table.cells > 0);
  if (tables.length === 0) return null;
  const parts = tables.map(({ name, matching, cells }) => {
    const life = name === "table-m3" ? "3" : "5";
    const how_many =
      matching === cells ? `all ${count(cells)}` : `${count(matching)} of ${count(cells)}`;
    return `${how_many} at shelf life ${life}`;
  });
  return (
    `Stopped where the paper stops, the values of the exact policies agree with the printed ones ` +
    `to the last digit: ${listed(parts)}.`
  );
}

function stopping_point(studies) {
  const rule = stopping_rule(studies);
  if (!rule) return null;
  const gaps =
    rule.vanishing > 0
      ? `, and ${plural(rule.vanishing, "gap")} of 0.01\u202f% or more between exact policies ` +
        `${rule.vanishing === 1 ? "is" : "are"} there only because of it: converged, ` +
        `${rule.vanishing === 1 ? "it is" : "they are"} below 0.005\u202f%`
      : `, and gaps change by up to ${fixed(rule.largest_change, 2)} percentage points`;
  return (
    "The paper stops iterating once a step changes values by less than 0.01 (shelf life 3) or 0.1 " +
    `(shelf life 5), which is not yet the end: its values are too low by up to ` +
    `${percent(rule.too_low_percent / 100, 2)}${gaps}.`
  );
}

function eight_point(studies) {
  const eight = shelf_life_eight(studies);
  if (!eight) return null;
  const hours = [...new Set(eight.paper_hours ?? [])].map((number) => fixed(number, 0)).join(" to ");
  const paper = hours
    ? `, where the paper reports more than ${hours} hours for evaluating a single policy and goes ` +
      "no further"
    : "";
  return (
    `At shelf life 8, with ${count(eight.states)} states, the optimum itself was found exactly, ` +
    `within ${duration(eight.slowest_seconds)} a setting${paper}.`
  );
}

/** The claims that do not hold: what a reader of the paper should know first. */
function refuted_list(studies) {
  const items = studies.flatMap(({ study, findings }) =>
    findings
      .filter(({ verdict }) => verdict === "refuted")
      .map(({ claim }) =>
        element(
          "li",
          {},
          // How it was counted stands with the finding.
          `${claim.replace(/\s*\(counted\b.*$/s, "")} `,
          element("a", { href: `#${study}` }, short_name(study)),
        ),
      ),
  );
  if (items.length === 0) return null;
  return element(
    "div",
    { class: "refutations" },
    element("h3", {}, verdict_badge("refuted"), " What does not hold"),
    element(
      "p",
      {},
      "Claims that came out otherwise here; what was found instead stands where the link leads.",
    ),
    element("ul", { class: "plain" }, items),
  );
}

function glance_table(studies) {
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
  return table_card({ name: "glance", caption: "Findings by study", table });
}
