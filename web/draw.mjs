// Draws the charts of a page that `shortfall` wrote, without a browser, as files CHART.svg:
//   node draw.mjs PAGE FOLDER [CHART...]     all charts of the page, or those that are named
// The sections of the page are built on an inert document. Charts are drawn as they are printed:
// light, with all panels, 680 pixels wide. The same page gives the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { textMetrics } from "vega";
import { inert_document, inert_globals, inert_window } from "./headless/inert_document.js";
import { picture } from "./headless/picture.js";
import { text_width } from "./headless/text_width.js";
import { charts_of_page } from "./src/render_queue.js";

const KINDS = ["report", "plan", "study"];

function fail(reason) {
  console.error(`draw.mjs: ${reason}`);
  process.exit(2);
}

/** The data of a page, as text. */
function data_of(file) {
  const html = readFileSync(file, "utf8");
  const found = /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(html);
  return found ? found[1] : fail(`${file} has no data; accepted: a page that shortfall wrote`);
}

/** The charts that the page shows, in their order. */
function shown_charts() {
  const elements = document.getElementById("page").descendants();
  const shown = elements.map((element) => element.getAttribute("data-chart"));
  return charts_of_page().filter(({ name }) => shown.includes(name));
}

async function write_pictures(folder, wanted) {
  const charts = shown_charts();
  const names = charts.map(({ name }) => name);
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) fail(`no chart ${missing.join(", ")}; accepted: ${names.join(", ")}`);
  mkdirSync(folder, { recursive: true });
  for (const chart of charts) {
    if (wanted.length > 0 && !wanted.includes(chart.name)) continue;
    writeFileSync(join(folder, `${chart.name}.svg`), await picture(chart));
  }
}

const [file, folder, ...wanted] = process.argv.slice(2);
if (!folder) fail("usage: node draw.mjs PAGE FOLDER [CHART...]");
const text = data_of(file);
const { kind } = JSON.parse(text);
if (!KINDS.includes(kind)) fail(`${file} is a page of kind ${kind}; accepted: ${KINDS.join(", ")}`);
Object.assign(globalThis, { document: inert_document(text), window: inert_window() }, inert_globals);
textMetrics.width = text_width;
// A page may compute in slices: its charts are complete once nothing is left to do.
process.once("beforeExit", () => write_pictures(folder, wanted));
await import(`./src/${kind}_page.js`);
