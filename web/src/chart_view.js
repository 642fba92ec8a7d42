import { parse, View } from "vega";
import { compile } from "vega-lite";
import { element } from "./dom.js";
import { add_chart } from "./render_queue.js";
import { save_blob, save_button, save_csv } from "./save.js";
import { chart_config, is_print, theme_for } from "./theme.js";
import { show_tooltip } from "./tooltip.js";

/** Charts narrower than this, in pixels, use the phone layout. */
const PHONE = 560;

/** How many times a chart is drawn at most to fit the width of its container. */
const MAX_ATTEMPTS = 4;

/** The width of a printed chart, in pixels. */
const PRINT_WIDTH = 680;

/**
 * @typedef {Object} ChartContext what a chart is drawn for
 * @property {number} width of the plotting area, without axes
 * @property {number} full_width of the container; use it to choose the number of columns
 * @property {boolean} phone
 * @property {boolean} print
 * @property {import("./theme.js").Theme} theme
 */

/**
 * A chart with a caption and save buttons. The render queue draws it, and redraws it when its
 * width, colour scheme or medium changes.
 * @param {Object} options
 * @param {string} options.name used for file names and the element id, "table-m3-gaps"
 * @param {string} options.title
 * @param {string} options.caption one or two sentences on what the chart shows
 * @param {Object[]} options.rows the data, for CSV
 * @param {(context: ChartContext) => Object} options.build returns the Vega-Lite specification
 * @param {(phone: boolean, redraw: () => void) => ?HTMLElement} [options.controls] above it
 * @returns {HTMLElement} a figure
 */
export function chart_view({ name, title, caption, rows, build, controls }) {
  const plot = element("div", {
    class: "plot",
    role: "img",
    "aria-label": `${title}. ${caption}`,
  });
  const chart = new Chart(plot, build);
  const phone = window.innerWidth < PHONE + 80;
  const figure = element(
    "figure",
    { id: `chart-${name}`, "data-chart": name },
    element("figcaption", {}, element("strong", {}, title), element("span", {}, caption)),
    controls ? controls(phone, () => chart.draw()) : null,
    plot,
    element(
      "div",
      { class: "saves" },
      element("span", { "aria-hidden": "true" }, "Save as"),
      save_button("SVG", title, () => chart.save_svg(name)),
      save_button("PNG", title, () => chart.save_png(name)),
      save_button("CSV", title, () => save_csv(name, rows)),
    ),
  );
  add_chart(chart);
  return figure;
}

class Chart {
  constructor(plot, build) {
    this.plot = plot;
    this.build = build;
    this.view = null;
    this.theme = null;
    this.width = 0;
    this.drawing = Promise.resolve();
    this.axes = 70; // width of axes and margins; corrected after the first drawing
  }

  /** The current colour scheme, width and medium. */
  context() {
    const width = is_print() ? PRINT_WIDTH : this.plot.clientWidth;
    return { theme: theme_for(), width };
  }

  is_outdated() {
    const { theme, width } = this.context();
    if (width === 0) return false; // hidden: cannot be drawn
    return theme !== this.theme || Math.abs(width - this.width) > 1;
  }

  /**
   * Draws after any drawing in progress. Everything runs in microtasks, so that it is finished
   * before the browser captures the page for printing.
   */
  draw() {
    const draw_now = () => this.draw_now();
    this.drawing = this.drawing.then(draw_now, draw_now);
    return this.drawing;
  }

  async draw_now() {
    const { theme, width } = this.context();
    if (width === 0) return;
    Object.assign(this, { theme, width });
    // The width of the axes is known only after layout.
    for (let left = MAX_ATTEMPTS; left > 0; --left) {
      const excess = await this.attempt();
      if (excess <= 0.5 && excess >= -8) return;
      // Two extra pixels, so that rounding does not cause another miss.
      this.axes += Math.ceil(excess) + 2;
    }
  }

  /** Draws once and returns how many pixels too wide the result is. */
  async attempt() {
    const { theme } = this;
    const width = Math.max(120, this.width - this.axes);
    const phone = this.width < PHONE;
    const spec = this.build({ width, full_width: this.width, phone, print: is_print(), theme });
    const { is_narrow, ...plain } = spec;
    const compiled = compile(plain, { config: chart_config(theme) }).spec;
    if (this.view) this.view.finalize();
    const container = element("div");
    this.view = new View(parse(compiled), {
      renderer: "svg",
      container,
      hover: false,
      tooltip: show_tooltip,
    });
    await this.view.runAsync();
    this.plot.replaceChildren(container);
    const svg = container.querySelector("svg");
    const drawn = Number(svg?.getAttribute("width") ?? this.width);
    return is_narrow && drawn <= this.width ? 0 : drawn - this.width;
  }

  async save_svg(name) {
    await this.drawing;
    const text = await this.view.toSVG();
    save_blob(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
  }

  async save_png(name) {
    await this.drawing;
    const canvas = await this.view.toCanvas(2);
    canvas.toBlob((blob) => save_blob(`${name}.png`, blob), "image/png");
  }
}
