import { chromium } from "playwright-core";

/**
 * The limit of every wait, in milliseconds. All waits end with an event or a condition; the limit
 * only stops a test that hangs, so it is far above what a busy machine needs.
 */
export const TIMEOUT = 300_000;

export function open_browser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu"];
  return chromium.launch({ executablePath, args, timeout: TIMEOUT });
}

/**
 * Opens a page from disk, offline, and waits until all charts are drawn. Requests for anything
 * other than the page itself, errors and warnings are faults, reported by `close`. With a `time`,
 * that is what the browser's clock shows.
 */
export async function open_page(browser, address, { viewport, scheme, time = null }) {
  const context = await browser.newContext({
    viewport,
    colorScheme: scheme,
    reducedMotion: "reduce", // no smooth scrolling
    acceptDownloads: true,
  });
  context.setDefaultTimeout(TIMEOUT);
  context.setDefaultNavigationTimeout(TIMEOUT);
  await context.setOffline(true);
  const faults = [];
  const file = address.split("#")[0];
  const is_own = (url) =>
    url.split("#")[0] === file || url.startsWith("blob:") || url.startsWith("data:");
  await context.route("**/*", (route) => {
    if (is_own(route.request().url())) return route.continue();
    return route.abort();
  });
  if (time) await context.clock.setFixedTime(time);
  const page = await context.newPage();
  page.on("request", (request) => {
    if (!is_own(request.url())) faults.push(`requested ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  const failed = new Promise((_, reject) => page.once("pageerror", reject));
  failed.catch(() => {}); // after loading, errors are collected in `faults`
  await page.goto(address);
  await Promise.race([drawn(page, scheme), failed]);
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  return {
    page,
    data,
    async use_scheme(colorScheme) {
      await page.emulateMedia({ colorScheme });
      await drawn(page, colorScheme);
    },
    async close(report) {
      faults.forEach(report);
      await context.close();
    },
  };
}

/** Waits until all charts are drawn for "light", "dark" or "print" at the width of the viewport. */
export async function drawn(page, scheme) {
  const { width } = page.viewportSize();
  await page.waitForFunction(
    (wanted) => document.documentElement.dataset.drawn === wanted,
    `${scheme} ${width}`,
  );
}
