import { is_print, on_theme_change, theme_for } from "./theme.js";

/**
 * Draws the charts of a page one at a time, so that the page stays responsive, and redraws them
 * when the width, the colour scheme or the medium changes. `<html data-drawn="light 1280">` (or
 * "dark ..", "print ..") is set while all charts are drawn for that scheme and window width.
 */

const charts = [];
let waiting = [];
let is_running = false;

/**
 * @param {{name: string, draw: () => Promise<void>, is_outdated: () => boolean}} chart
 */
export function add_chart(chart) {
  charts.push(chart);
  enqueue([chart]);
}

/** @returns {Object[]} all charts that were added, in their order */
export function charts_of_page() {
  return [...charts];
}

/** Redraws charts when the window, the colour scheme or the medium changes. Call once. */
export function redraw_on_change() {
  let timer = 0;
  new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => enqueue(outdated()), 150);
  }).observe(document.documentElement);
  on_theme_change(() => {
    if (!is_print()) {
      enqueue(outdated());
      return;
    }
    // No timers here: the charts must be drawn before the browser captures the page.
    Promise.all(outdated().map((chart) => chart.draw())).then(finish, reportError);
  });
}

function outdated() {
  return charts.filter((chart) => chart.is_outdated());
}

function enqueue(added) {
  waiting = [...waiting, ...added.filter((chart) => !waiting.includes(chart))];
  if (waiting.length > 0) delete document.documentElement.dataset.drawn;
  if (!is_running) {
    is_running = true;
    setTimeout(draw_next, 0);
  }
}

async function draw_next() {
  const chart = waiting.shift();
  // A chart that cannot be drawn must not block the others.
  if (chart) await chart.draw().catch(reportError);
  if (waiting.length > 0) {
    setTimeout(draw_next, 0);
    return;
  }
  is_running = false;
  finish();
}

/** Marks the page as drawn, unless something changed in the meantime. */
function finish() {
  const late = outdated();
  if (late.length > 0 || waiting.length > 0) {
    enqueue(late);
    return;
  }
  const scheme = is_print() ? "print" : theme_for().name;
  document.documentElement.dataset.drawn = `${scheme} ${window.innerWidth}`;
}
