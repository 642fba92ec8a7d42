import { drawn } from "./reader.mjs";

/** A4 with margins of a centimetre, in pixels. */
const PAPER = 718;

/** On paper the page is light, charts too, has no buttons, and nothing is wider than the paper. */
export async function check_paper(page, say) {
  const window_size = page.viewportSize();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  if (!(await drawn(page, "paper"))) say("the page was not drawn for paper in time");
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
  await page.setViewportSize({ width: PAPER, height: window_size.height });
  const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
  if (width > PAPER) say(`the page is ${width} pixels wide, the paper ${PAPER}`);
  if (!seen.body || seen.ink) say("the page is not light");
  if (seen.dark_charts > 0) say(`${seen.dark_charts} charts are dark`);
  if (seen.buttons > 0) say(`${seen.buttons} buttons or choosers are printed`);
  if (seen.widest > 690) say(`a chart is ${seen.widest} pixels wide`);
  if (seen.breaks > 0) say(`${seen.breaks} figures may be cut by the end of a page`);
  await page.setViewportSize(window_size);
  await page.emulateMedia({ media: null, colorScheme: "light" });
}
