import { drawn } from "./open_page.mjs";

/** The width of A4 with margins of 1 cm, in pixels. */
const PAGE_WIDTH = 718;

/**
 * The printed page and its charts are light, without buttons, and no wider than the paper. Leaves
 * the page in print mode.
 */
export async function check_print(page, report) {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await drawn(page, "print");
  const seen = await page.evaluate(() => {
    const light = (text) => {
      const [r, g, b, alpha = 1] = text.match(/[\d.]+/g).map(Number);
      return alpha === 0 || (r + g + b) / 3 > 200;
    };
    const backgrounds = [...document.querySelectorAll(".plot svg")].map(
      (svg) => getComputedStyle(svg).backgroundColor,
    );
    const shown = [...document.querySelectorAll("button, select, nav")].filter(
      (node) => node.getClientRects().length > 0,
    );
    return {
      body: light(getComputedStyle(document.body).backgroundColor),
      ink: light(getComputedStyle(document.body).color),
      dark_charts: backgrounds.filter((colour) => !light(colour)).length,
      buttons: shown.filter((node) => !node.closest("th")).length,
      widest: Math.max(
        ...[...document.querySelectorAll(".plot svg")].map((svg) =>
          Number(svg.getAttribute("width")),
        ),
      ),
      breaks: [...document.querySelectorAll("figure")].filter(
        (node) => getComputedStyle(node).breakInside !== "avoid",
      ).length,
    };
  });
  await page.setViewportSize({ width: PAGE_WIDTH, height: page.viewportSize().height });
  await drawn(page, "print");
  const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
  if (width > PAGE_WIDTH) report(`the page is ${width} pixels wide, the paper ${PAGE_WIDTH}`);
  if (!seen.body || seen.ink) report("the page is not light");
  if (seen.dark_charts > 0) report(`${seen.dark_charts} charts are dark`);
  if (seen.buttons > 0) report(`${seen.buttons} buttons or select fields are printed`);
  if (seen.widest > 690) report(`a chart is ${seen.widest} pixels wide`);
  if (seen.breaks > 0) report(`${seen.breaks} figures may be split by a page break`);
}
