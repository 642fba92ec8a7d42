import { drawn } from "./open_page.mjs";

/** A page has a language, a title, one main heading, and named sections listed in the contents. */
export async function check_document(page, report) {
  const faults = await page.evaluate(() => {
    const found = [];
    if (document.documentElement.lang !== "en") found.push("the language is missing");
    if (document.title === "") found.push("the title is missing");
    if (!document.querySelector("meta[name=viewport]")) found.push("the viewport is missing");
    if (document.querySelectorAll("h1").length !== 1)
      found.push("there is not exactly one main heading");
    const sections = [...document.querySelectorAll("main > section")];
    if (sections.length < 3) found.push("there are fewer than three sections");
    for (const section of sections) {
      if (!section.querySelector(`#${section.getAttribute("aria-labelledby")}`))
        found.push(`section ${section.id} has no name`);
      if (!document.querySelector(`nav a[href="#${section.id}"]`))
        found.push(`section ${section.id} is not in the contents`);
    }
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    for (const id of new Set(
      ids.filter((one, i) => ids.indexOf(one) !== i && !/^(gradient|clip)/.test(one)),
    ))
      found.push(`two elements have the id ${id}`);
    return found;
  });
  faults.forEach(report);
}

/** Charts are redrawn to fit a narrower window. */
export async function check_resizing(page, report) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 700, height: before.height });
  await drawn(page, "light");
  const is_narrower = await page.evaluate(() =>
    [...document.querySelectorAll(".plot")].every(
      (plot) => Number(plot.querySelector("svg").getAttribute("width")) <= plot.clientWidth + 1,
    ),
  );
  if (!is_narrower) report("charts do not follow the width of the window");
  await page.setViewportSize(before);
  await drawn(page, "light");
}
