// Opens finished pages in Chromium, from disk and without a network, and checks what a reader would
// notice.   node tests/pages.mjs [--screenshots DIR] PAGE.html...
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { check_charts } from "./browser/charts_are_drawn.mjs";
import { check_contrast } from "./browser/contrast.mjs";
import { check_document, check_resizing } from "./browser/document.mjs";
import { check_layout } from "./browser/layout.mjs";
import { check_lookup, check_stock_table } from "./browser/orders.mjs";
import { check_paper } from "./browser/paper.mjs";
import { open_browser, open_page } from "./browser/reader.mjs";
import { check_saving } from "./browser/saving.mjs";
import { take_screenshots } from "./browser/screenshots.mjs";
import { check_tables } from "./browser/tables.mjs";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

function parse_arguments(words) {
  const at = words.indexOf("--screenshots");
  if (at < 0) return { pages: words, screenshots: null };
  return { pages: [...words.slice(0, at), ...words.slice(at + 2)], screenshots: words[at + 1] };
}

async function check_page(browser, address, screenshots) {
  const faults = [];
  const name = basename(address, ".html");
  const looks = screenshots
    ? (page, look) => take_screenshots(page, screenshots, `${name}-${look}`)
    : async () => {};

  const desk = await open_page(browser, address, { viewport: DESKTOP, scheme: "light" });
  // Each fault once: a warning may come with every drawing.
  const say = (where) => (fault) => {
    const text = `${where}: ${fault}`;
    if (!faults.includes(text)) faults.push(text);
  };
  await looks(desk.page, "1280-light");
  await check_document(desk.page, say("document"));
  await check_charts(desk.page, desk.data, say("1280 light"));
  await check_layout(desk.page, say("1280 light"));
  await check_contrast(desk.page, say("1280 light"));
  await check_tables(desk.page, say("tables"));
  if (desk.data.kind === "plan") {
    await check_lookup(desk.page, desk.data, say("order today"));
    await check_stock_table(desk.page, desk.data, say("stocks"));
    await check_resizing(desk.page, say("700"));
  }
  await check_saving(desk.page, desk.data, say("saving"));
  await desk.use_scheme("dark");
  await looks(desk.page, "1280-dark");
  await check_contrast(desk.page, say("1280 dark"));
  await check_paper(desk.page, say("print"));
  await desk.close(say("1280"));

  const phone = await open_page(browser, address, { viewport: PHONE, scheme: "dark" });
  await looks(phone.page, "390-dark");
  await check_charts(phone.page, phone.data, say("390 dark"));
  await check_layout(phone.page, say("390 dark"));
  await check_contrast(phone.page, say("390 dark"));
  if (screenshots) {
    await phone.use_scheme("light");
    await looks(phone.page, "390-light");
  }
  await phone.close(say("390"));
  return faults;
}

const { pages, screenshots } = parse_arguments(process.argv.slice(2));
if (pages.length === 0) {
  console.error("usage: node tests/pages.mjs [--screenshots DIR] PAGE.html...");
  process.exit(2);
}
const browser = await open_browser();
let failed = 0;
try {
  for (const path of pages) {
    const start = Date.now();
    const faults = await check_page(browser, pathToFileURL(resolve(path)).href, screenshots);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${path} (${seconds} s)`);
    faults.forEach((fault) => console.log(`       ${fault}`));
    failed += faults.length;
  }
} finally {
  await browser.close();
}
process.exit(failed === 0 ? 0 : 1);
