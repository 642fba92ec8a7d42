// draw.mjs draws the charts that a page has, without a browser.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { textMetrics } from "vega";
import { text_width } from "../headless/text_width.js";
import { expected_charts } from "./browser/charts.mjs";
import { fill, partial_report_data, plan_data, report_data, study_data } from "./fixture.mjs";

const DRAW = fileURLToPath(new URL("../draw.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pictures-"));
let count = 0;

after(() => rmSync(folder, { recursive: true }));

function write(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/**
 * @param {string} html a page with its data
 * @param {{names?: string[], before?: string}} [options] charts to draw; a script to run first
 * @returns {Promise<Object<string, string>>} the charts that were drawn, by name
 */
async function draw(html, { names = [], before = "" } = {}) {
  const name = `page-${++count}`;
  const words = ["--require", write(`${name}.cjs`, before), DRAW, write(`${name}.html`, html)];
  const out = join(folder, name);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, out, ...names]);
  assert.equal(stdout + stderr, "");
  return Object.fromEntries(
    readdirSync(out).map((file) => [
      file.replace(/\.svg$/, ""),
      readFileSync(join(out, file), "utf8"),
    ]),
  );
}

/** Nothing is drawn, and the script says why. */
async function expect_refused(html, reason, names = []) {
  await assert.rejects(draw(html, { names }), (error) => reason.test(error.stderr));
  assert.equal(existsSync(join(folder, `page-${count}`)), false);
}

const page_of = (data) => fill("<!--DATA-->", data);

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
    const pictures = await draw(page_of(data));
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
  const html = page_of(plan_data({ shelf_life: 3, days: 7 }));
  const names = ["order-curve", "orders"];
  const on_day = (day) => draw(html, { names, before: `Date.prototype.getDay = () => ${day};` });
  const [sunday, thursday] = await Promise.all([on_day(0), on_day(4)]);
  assert.deepEqual(sunday, thursday);
  assert.match(sunday["order-curve"], /with nothing in stock on a Monday/);
});

test("a chart has the same bytes whatever else is drawn", async () => {
  const { studies, ...rest } = report_data();
  const some = studies.filter(({ study }) => study === "counterexample");
  const others = studies.filter(({ study }) => study === "figure-gaps");
  const drawn = (list) => draw(page_of({ ...rest, studies: list }));
  const [alone, both] = await Promise.all([drawn(some), drawn([...others, ...some])]);
  assert.ok(Object.keys(alone).length > 0);
  for (const name of Object.keys(alone)) assert.equal(both[name], alone[name]);
});

test("charts can be chosen by name", async () => {
  const html = page_of(plan_data({ shelf_life: 3 }));
  assert.deepEqual(Object.keys(await draw(html, { names: ["demand"] })), ["demand"]);
  await expect_refused(html, /^draw\.mjs: no chart weather; accepted: .*demand/, ["weather"]);
});

test("a page without data that can be read is refused", async () => {
  const html = page_of(study_data());
  await expect_refused(html.replace('"kind":"study"', '"kind"'), /SyntaxError/);
  await expect_refused(html.replace('"kind":"study"', '"kind":"menu"'), /a page of kind menu;/);
  await expect_refused("<p>hello</p>", /has no data; accepted: a page that shortfall wrote/);
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
