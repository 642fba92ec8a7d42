import { is_print, on_theme_change, theme_for } from "./theme.js";

/**
 * Draws the charts of a page one after the other, so that the page can be read and scrolled
 * meanwhile, and again when the width, the colour scheme or the medium changes.
 * `<html data-drawn="light">` (or "dark", "paper") says for what all of them are drawn.
 */

const charts = [];
let waiting = [];
let is_running = false;

/**
 * @param {{draw: () => Promise<void>, is_outdated: () => boolean}} chart
 */
export function add_chart(chart) {
  charts.push(chart);
  enqueue([chart]);
}

/** Starts to follow the reader's window, scheme and printer. Call once. */
export function follow_reader() {
  let timer = 0;
  new ResizeObserver(() => {
    clearTimeout(timer);
    timer = setTimeout(() => enqueue(outdated()), 150);
  }).observe(document.body);
  on_theme_change(() => {
    if (!is_print()) {
      enqueue(outdated());
      return;
    }
    // Nothing may wait when the printer takes its picture of the page.
    Promise.all(outdated().map((chart) => chart.draw())).then(say_drawn, reportError);
  });
}

function outdated() {
  return charts.filter((chart) => chart.is_outdated());
}

function enqueue(some) {
  waiting = [...waiting, ...some.filter((chart) => !waiting.includes(chart))];
  if (waiting.length > 0) delete document.documentElement.dataset.drawn;
  if (!is_running) {
    is_running = true;
    setTimeout(draw_next, 0);
  }
}

async function draw_next() {
  const chart = waiting.shift();
  // One chart that cannot be drawn must not keep the others from the reader.
  if (chart) await chart.draw().catch(reportError);
  if (waiting.length > 0) {
    setTimeout(draw_next, 0);
    return;
  }
  is_running = false;
  say_drawn();
}

function say_drawn() {
  document.documentElement.dataset.drawn = is_print() ? "paper" : theme_for().name;
}
