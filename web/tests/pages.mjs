// Opens finished pages in Chromium, from disk and offline, and checks contents, layout, contrast,
// controls, saving and printing.   node tests/pages.mjs [--screenshots DIR] PAGE.html...
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { check_charts } from "./browser/charts.mjs";
import { check_contrast } from "./browser/contrast.mjs";
import { check_document, check_resizing } from "./browser/document.mjs";
import { check_form } from "./browser/form.mjs";
import { check_layout } from "./browser/layout.mjs";
import { check_lookup, check_stock_table } from "./browser/orders.mjs";
import { check_print } from "./browser/print.mjs";
import { open_browser, open_page } from "./browser/open_page.mjs";
import { check_saving } from "./browser/saving.mjs";
import { take_screenshots } from "./browser/screenshots.mjs";
import { check_tables } from "./browser/tables.mjs";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

function parse_arguments(args) {
  const at = args.indexOf("--screenshots");
  if (at < 0) return { pages: args, screenshots: null };
  return { pages: [...args.slice(0, at), ...args.slice(at + 2)], screenshots: args[at + 1] };
}

async function check_page(browser, address, { screenshots, faults }) {
  const name = basename(address, ".html");
  const take = screenshots
    ? (page, view) => take_screenshots(page, screenshots, `${name}-${view}`)
    : async () => {};

  const desk = await open_page(browser, address, { viewport: DESKTOP, scheme: "light" });
  // Each fault once: a warning may repeat with every drawing.
  const report_in = (where) => (fault) => {
    const text = `${where}: ${fault}`;
    if (!faults.includes(text)) faults.push(text);
  };
  await take(desk.page, "1280-light");
  await check_document(desk.page, report_in("document"));
  await check_charts(desk.page, desk.data, report_in("1280 light"));
  await check_layout(desk.page, report_in("1280 light"));
  await check_contrast(desk.page, report_in("1280 light"));
  await check_tables(desk.page, report_in("tables"));
  if (desk.data.kind === "plan") {
    await check_lookup(desk.page, desk.data, report_in("order today"));
    await check_stock_table(desk.page, desk.data, report_in("stocks"));
    await check_resizing(desk.page, report_in("700"));
  }
  await check_saving(desk.page, desk.data, report_in("saving"));
  await desk.use_scheme("dark");
  await take(desk.page, "1280-dark");
  await check_contrast(desk.page, report_in("1280 dark"));
  await check_print(desk.page, report_in("print"));
  await desk.close(report_in("1280"));

  const phone = await open_page(browser, address, { viewport: PHONE, scheme: "dark" });
  await take(phone.page, "390-dark");
  await check_charts(phone.page, phone.data, report_in("390 dark"));
  await check_layout(phone.page, report_in("390 dark"));
  await check_contrast(phone.page, report_in("390 dark"));
  if (screenshots) {
    await phone.use_scheme("light");
    await take(phone.page, "390-light");
  }
  await phone.close(report_in("390"));
  if (desk.data.kind === "plan")
    await check_form(browser, address, { viewport: DESKTOP, report: report_in("form") });
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
    const faults = [];
    const address = pathToFileURL(resolve(path)).href;
    await check_page(browser, address, { screenshots, faults }).catch((error) =>
      faults.push(`stopped: ${error.message}`),
    );
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${path} (${seconds} s)`);
    faults.forEach((fault) => console.log(`       ${fault}`));
    failed += faults.length;
  }
} finally {
  await browser.close();
}
process.exit(failed === 0 ? 0 : 1);
