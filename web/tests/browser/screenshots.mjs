import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Takes screenshots of the top and of every section. */
export async function take_screenshots(page, folder, name) {
  await mkdir(folder, { recursive: true });
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(folder, `${name}-0-top.png`) });
  const ids = await page.evaluate(() =>
    [...document.querySelectorAll("main > section")].map(({ id }) => id),
  );
  for (const id of ids) {
    await page.locator(`#${id}`).screenshot({ path: join(folder, `${name}-${id}.png`) });
  }
}
