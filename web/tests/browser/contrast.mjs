import { report_some } from "./layout.mjs";

/**
 * All text, in HTML and in charts, has a contrast of 4.5 : 1 with its background (3 : 1 if large).
 */
export async function check_contrast(page, report) {
  const faults = await page.evaluate(() => {
    const parse = (text) => {
      const parts = text.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
      return { rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1 };
    };
    const over = (top, alpha, under) =>
      top.map((channel, i) => alpha * channel + (1 - alpha) * under[i]);
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((v) =>
        v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => {
      const [low, high] = [luminance(a), luminance(b)].sort((p, q) => p - q);
      return (high + 0.05) / (low + 0.05);
    };
    const behind = (node) => {
      const layers = [];
      for (let up = node; up; up = up.parentElement) {
        const { rgb, alpha } = parse(getComputedStyle(up).backgroundColor);
        if (alpha > 0) layers.push({ rgb, alpha });
        if (alpha === 1) break;
      }
      return layers
        .reverse()
        .reduce((under, { rgb, alpha }) => over(rgb, alpha, under), [255, 255, 255]);
    };
    const found = [];
    const check = (node, colour, under, what) => {
      const style = getComputedStyle(node);
      const size = parseFloat(style.fontSize);
      const is_large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const opacity = Number(style.opacity);
      const ink = over(colour.rgb, colour.alpha * opacity, under);
      const ratio = contrast(ink, under);
      if (ratio < (is_large ? 3 : 4.5) - 0.005) {
        const where = node.closest("[id]")?.id ?? "page";
        found.push(
          `${what} "${node.textContent.trim().slice(0, 30)}" in #${where} has ${ratio.toFixed(2)} : 1`,
        );
      }
    };

    const has_text = (node) =>
      [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== "");
    for (const node of document.body.querySelectorAll("*")) {
      if (node.closest("svg, script, noscript, option") || !has_text(node)) continue;
      if (node.getClientRects().length === 0) continue;
      check(node, parse(getComputedStyle(node).color), behind(node), "text");
    }
    for (const input of document.querySelectorAll("select, input:not([type=checkbox])")) {
      check(input, parse(getComputedStyle(input).color), behind(input), "field");
    }

    for (const svg of document.querySelectorAll(".plot svg")) {
      const shapes = [
        ...svg.querySelectorAll(".mark-rect path, .mark-area path, rect, path.background"),
      ]
        .map((shape) => ({
          shape,
          box: shape.getBoundingClientRect(),
          style: getComputedStyle(shape),
        }))
        .filter(({ box, style }) => box.width > 0 && style.fill !== "none");
      for (const text of svg.querySelectorAll("text")) {
        if (text.textContent === "" || Number(getComputedStyle(text).opacity) === 0) continue;
        const box = text.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        let under = behind(svg);
        for (const { shape, box: around, style } of shapes) {
          if (x < around.left || x > around.right || y < around.top || y > around.bottom) continue;
          const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
          if (!shape.isPointInFill(point)) continue;
          const { rgb, alpha } = parse(style.fill);
          under = over(rgb, alpha * Number(style.fillOpacity) * Number(style.opacity), under);
        }
        check(text, parse(getComputedStyle(text).fill), under, "chart text");
      }
    }
    return found;
  });
  report_some(faults, report);
}
