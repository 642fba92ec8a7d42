import { chromium } from "playwright-core";

/** How long a page may take until all charts are drawn, in milliseconds. */
const PATIENCE = 30_000;

export function open_browser() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * Opens a page from disk with the network cut, and waits until it is drawn. Whatever it asks for
 * besides itself, and whatever it complains about, is a fault reported by `close`.
 */
export async function open_page(browser, address, { viewport, scheme }) {
  const context = await browser.newContext({
    viewport,
    colorScheme: scheme,
    acceptDownloads: true,
  });
  await context.setOffline(true);
  const faults = [];
  const is_own = (url) => url === address || url.startsWith("blob:") || url.startsWith("data:");
  await context.route("**/*", (route) => {
    if (is_own(route.request().url())) return route.continue();
    return route.abort();
  });
  const page = await context.newPage();
  page.on("request", (request) => {
    if (!is_own(request.url())) faults.push(`asked for ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  await page.goto(address);
  if (!(await drawn(page, scheme))) faults.push("the page was not drawn in time");
  const data = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
  return {
    page,
    data,
    async use_scheme(colorScheme) {
      await page.emulateMedia({ colorScheme });
      if (!(await drawn(page, colorScheme)))
        faults.push(`the page was not drawn ${colorScheme} in time`);
    },
    async close(say) {
      faults.forEach(say);
      await context.close();
    },
  };
}

/** Waits until all charts are drawn "light", "dark" or for "paper"; false if that takes too long. */
export function drawn(page, what) {
  return page
    .waitForFunction((wanted) => document.documentElement.dataset.drawn === wanted, what, {
      timeout: PATIENCE,
    })
    .then(
      () => true,
      () => false,
    );
}
