import { parse, resetSVGDefIds, View } from "vega";
import { compiled_chart, excess_of, fit_width, PRINT_WIDTH, USUAL_AXES } from "../src/drawing.js";
import { theme_for } from "../src/theme.js";

/**
 * Draws a chart as it is printed: light, with all its panels, at a fixed width.
 * @param {{name: string, title: string, caption: string,
 *          build: (context: import("../src/drawing.js").ChartContext) => Object}} chart
 * @returns {Promise<string>} a complete SVG document; the same chart gives the same bytes
 */
export async function picture({ name, title, caption, build }) {
  const theme = theme_for("light");
  const width = PRINT_WIDTH;
  let drawing = "";
  await fit_width(USUAL_AXES, async (axes) => {
    const { compiled, is_narrow } = compiled_chart(build, { width, axes, print: true, theme });
    resetSVGDefIds(); // else they would depend on what was drawn before
    const view = new View(parse(compiled), { renderer: "none" });
    drawing = await view.toSVG();
    view.finalize();
    const drawn = Number(/<svg[^>]* width="([\d.]+)"/.exec(drawing)[1]);
    return excess_of({ drawn, width, is_narrow });
  });
  return described(drawing, { name, title, caption });
}

/** With title and description, and with ids that remain unique among the pictures of a page. */
function described(drawing, { name, title, caption }) {
  const own = drawing
    .replaceAll(/ id="([^"]+)"/g, ` id="${name}-$1"`)
    .replaceAll(/url\(#([^)]+)\)/g, `url(#${name}-$1)`);
  const texts = `<title>${escaped(title)}</title><desc>${escaped(caption)}</desc>`;
  return `${own.replace(/<svg([^>]*)>/, (_, attributes) => `<svg role="img"${attributes}>${texts}`)}\n`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
