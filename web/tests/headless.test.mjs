// Without a browser, the script of a page draws the charts that the page has.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { textMetrics } from "vega";
import { text_width } from "../src/headless/text_width.js";
import { expected_charts } from "./browser/charts.mjs";
import { fill, partial_report_data, plan_data, report_data, study_data } from "./fixture.mjs";
import { pictures_of } from "./headless.mjs";

let folder = "";
const templates = {};

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "pictures-"));
  const script = fileURLToPath(new URL("../build.mjs", import.meta.url));
  await promisify(execFile)(process.execPath, [script, folder]);
  for (const kind of ["report", "plan", "study"])
    templates[kind] = await readFile(join(folder, `${kind}.html`), "utf8");
});

after(() => rm(folder, { recursive: true }));

/** What is wrong with a text as XML, of the kind that Vega writes; null if nothing is. */
function xml_fault(text) {
  const open = [];
  const tag = /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)|(<)/g;
  for (const [, closes, name, attributes, is_empty, between, stray] of text.matchAll(tag)) {
    if (stray) return "a stray <";
    if (/&(?!(amp|lt|gt|quot|apos|#\d+);)/.test(between ?? attributes)) return "a stray &";
    if (between || is_empty) continue;
    if (!closes) open.push(name);
    else if (open.pop() !== name) return `</${name}> without a beginning`;
  }
  return open.length === 0 ? null : `<${open[0]}> without an end`;
}

const PAGES = {
  "a study": () => study_data(),
  "the report": () => report_data(),
  "a report with most parts missing": () => partial_report_data(),
  "a plan for one day, without attitudes": () => plan_data({ shelf_life: 1, levels: 1 }),
  "a plan without values": () => plan_data({ shelf_life: 5, values: false }),
  "a plan by weekday with records": () =>
    plan_data({ shelf_life: 4, days: 7, own: ["base-stock:12"], records: true }),
};

for (const [title, data_of] of Object.entries(PAGES)) {
  test(`${title} is drawn with the charts of its page`, async () => {
    const data = data_of();
    const pictures = await pictures_of(fill(templates[data.kind], data));
    assert.deepEqual(Object.keys(pictures).sort(), expected_charts(data).sort());
    for (const [name, svg] of Object.entries(pictures)) {
      assert.equal(xml_fault(svg), null, name);
      assert.match(svg, /^<svg role="img" xmlns="[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/);
      assert.match(svg, /class="mark-(line|symbol|rect|rule|area)/, name);
      assert.match(svg, /<rect width="\d+" height="\d+" fill="#ffffff"/, name);
      assert.doesNotMatch(svg, /NaN|undefined|Infinity|today's|above\./, name);
      assert.doesNotMatch(svg, /(href|src)=|url\((?!#)|@import/, name);
      const width = Number(/ width="([\d.]+)"/.exec(svg)[1]);
      assert.ok(width > 300 && width <= 700, `${name} is ${width} wide`);
      const ids = [...svg.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.ok(ids.every((id) => id.startsWith(`${name}-`)), name);
      const used = [...svg.matchAll(/url\(#([^)]*)\)/g)].map(([, id]) => id);
      assert.deepEqual(new Set(used), new Set(ids), name);
    }
  });
}

test("the same page gives the same bytes on every weekday", async () => {
  const html = fill(templates.plan, plan_data({ shelf_life: 3, days: 7 }));
  const on_day = (day) => pictures_of(html, `Date.prototype.getDay = () => ${day};\n`);
  const [sunday, thursday] = await Promise.all([on_day(0), on_day(4)]);
  assert.deepEqual(sunday, thursday);
  assert.match(sunday["order-curve"], /with nothing in stock on a Monday/);
});

test("a chart has the same bytes whatever else is drawn", async () => {
  const { studies, ...rest } = report_data();
  const some = studies.filter(({ study }) => study === "counterexample");
  const others = studies.filter(({ study }) => study === "figure-gaps");
  const drawn = (list) => pictures_of(fill(templates.report, { ...rest, studies: list }));
  const [alone, both] = await Promise.all([drawn(some), drawn([...others, ...some])]);
  assert.ok(Object.keys(alone).length > 0);
  for (const name of Object.keys(alone)) assert.equal(both[name], alone[name]);
});

test("a page with data that it cannot read says so and draws nothing", async () => {
  const html = fill(templates.study, study_data()).replace('"kind":"study"', '"kind"');
  await assert.rejects(pictures_of(html), /exit code 1: SyntaxError/);
});

test("texts have the widths of DejaVu Sans, at most their limit", () => {
  // 0.61, 0.63 and 0.84 of the font size; 0.32 for a space.
  assert.ok(Math.abs(text_width({ fontSize: 10 }, "a b") - 15.6) < 1e-9);
  assert.ok(Math.abs(text_width({ fontSize: 10 }, "a\u00a0b") - 15.6) < 1e-9);
  assert.ok(Math.abs(text_width({ fontSize: 10 }, "−") - 8.4) < 1e-9);
  assert.ok(text_width({ fontSize: 10, fontWeight: 600 }, "a") > text_width({ fontSize: 10 }, "a"));
  assert.equal(text_width({ fontSize: 10, limit: 12 }, "a b"), 12);
  assert.equal(text_width({}, null), 0);
  assert.ok(text_width({}, "distance") < textMetrics.estimateWidth({}, "distance"));
});
