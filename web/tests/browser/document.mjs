/** What every page has: a language, a title, one main heading, sections with names and links to them. */
export async function check_document(page, say) {
  const faults = await page.evaluate(() => {
    const found = [];
    if (document.documentElement.lang !== "en") found.push("no language is given");
    if (document.title === "") found.push("there is no title");
    if (!document.querySelector("meta[name=viewport]")) found.push("no viewport is given");
    if (document.querySelectorAll("h1").length !== 1)
      found.push("there is not exactly one main heading");
    const sections = [...document.querySelectorAll("main > section")];
    if (sections.length < 3) found.push("there are hardly any sections");
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
      found.push(`two elements are called ${id}`);
    return found;
  });
  faults.forEach(say);
}

/** A window made narrower gets charts made narrower. */
export async function check_resizing(page, say) {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 700, height: before.height });
  const fits = () =>
    [...document.querySelectorAll(".plot")].every(
      (plot) => Number(plot.querySelector("svg").getAttribute("width")) <= plot.clientWidth + 1,
    );
  await page
    .waitForFunction(fits, null, { timeout: 15_000 })
    .catch(() => say("charts do not follow the window"));
  await page.setViewportSize(before);
}
