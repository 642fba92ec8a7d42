/**
 * Nothing exceeds the width of the window except inside a scrolling container; no chart text is cut
 * off, smaller than 12 pixels or overlapping.
 */
export async function check_layout(page, report) {
  const faults = await page.evaluate(() => {
    const found = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > window.innerWidth) {
      found.push(`the page is ${root.scrollWidth} pixels wide in a window of ${window.innerWidth}`);
    }
    const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowX);
    const is_in_scroller = (node) => {
      for (let up = node.parentElement; up; up = up.parentElement) if (scrolls(up)) return true;
      return false;
    };
    const name_of = (node) => {
      const box = node.closest("[id]");
      return `${node.tagName.toLowerCase()} in #${box?.id ?? "page"} ("${node.textContent.trim().slice(0, 30)}")`;
    };
    for (const node of document.body.querySelectorAll("*")) {
      const { left, right, width } = node.getBoundingClientRect();
      if (width === 0 || (left >= -1 && right <= window.innerWidth + 1)) continue;
      if (!is_in_scroller(node)) found.push(`too wide: ${name_of(node)}`);
    }
    for (const plot of document.querySelectorAll(".plot")) {
      const svg = plot.querySelector("svg");
      if (!svg) continue;
      const wanted = Number(svg.getAttribute("width"));
      if (wanted > plot.clientWidth + 1)
        found.push(`${name_of(plot)}: chart of ${wanted} pixels in ${plot.clientWidth}`);
      const frame = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll("text")]
        .filter((text) => text.textContent !== "" && Number(getComputedStyle(text).opacity) > 0)
        .map((text) => ({ text, box: text.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0);
      for (const { text, box } of texts) {
        if (
          box.left < frame.left - 1 ||
          box.right > frame.right + 1 ||
          box.top < frame.top - 1 ||
          box.bottom > frame.bottom + 1
        ) {
          found.push(`text is cut off: ${name_of(text)}`);
        }
        if (parseFloat(getComputedStyle(text).fontSize) < 12)
          found.push(`text below 12 pixels: ${name_of(text)}`);
      }
      texts.sort((a, b) => a.box.top - b.box.top);
      texts.forEach((a, i) => {
        for (let j = i + 1; j < texts.length && texts[j].box.top < a.box.bottom; ++j) {
          const b = texts[j];
          const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
          const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
          if (wide > 1.5 && high > 5)
            found.push(`texts overlap: ${name_of(a.text)} and "${b.text.textContent}"`);
        }
      });
    }
    return found;
  });
  report_some(faults, report);
}

/** Reports the first few faults, as there may be hundreds. */
export function report_some(faults, report) {
  faults.slice(0, 12).forEach(report);
  if (faults.length > 12) report(`and ${faults.length - 12} more`);
}
