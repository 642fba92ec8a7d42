import { parse, View } from "vega";
import { element } from "./dom.js";
import { compiled_chart, excess_of, fit_width, PHONE, PRINT_WIDTH, USUAL_AXES } from "./drawing.js";
import { add_chart } from "./render_queue.js";
import { save_blob, save_button, save_csv } from "./save.js";
import { is_print, theme_for } from "./theme.js";
import { show_tooltip } from "./tooltip.js";

/**
 * A chart with a caption and save buttons. The render queue draws it, and redraws it when its
 * width, colour scheme or medium changes.
 * @param {Object} options
 * @param {string} options.name used for file names and the element id, "table-m3-gaps"
 * @param {string} options.title
 * @param {string} options.caption one or two sentences on what the chart shows
 * @param {Object[]} options.rows the data, for CSV
 * @param {(context: import("./drawing.js").ChartContext) => Object} options.build returns the
 *   Vega-Lite specification
 * @param {(phone: boolean, redraw: () => void) => ?HTMLElement} [options.controls] above it
 * @param {() => string} [options.alone] the caption without the rest of the page
 * @returns {HTMLElement} a figure
 */
export function chart_view({ name, title, caption, rows, build, controls, alone }) {
  const plot = element("div", {
    class: "plot",
    role: "img",
    "aria-label": `${title}. ${caption}`,
  });
  const chart = new Chart(plot, { name, title, build, alone: alone ?? (() => caption) });
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
      save_button("SVG", title, () => chart.save_svg()),
      save_button("PNG", title, () => chart.save_png()),
      save_button("CSV", title, () => save_csv(name, rows)),
    ),
  );
  add_chart(chart);
  return figure;
}

class Chart {
  constructor(plot, { name, title, build, alone }) {
    Object.assign(this, { plot, name, title, build, alone });
    this.view = null;
    this.theme = null;
    this.width = 0;
    this.drawing = Promise.resolve();
    this.axes = USUAL_AXES; // corrected after the first drawing
  }

  /** The caption, for a picture without the page. */
  get caption() {
    return this.alone();
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
    this.axes = await fit_width(this.axes, (axes) => this.attempt(axes));
  }

  /** Draws once and returns how many pixels too wide the result is. */
  async attempt(axes) {
    const { theme, width } = this;
    const print = is_print();
    const { compiled, is_narrow } = compiled_chart(this.build, { width, axes, print, theme });
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
    const drawn = Number(svg?.getAttribute("width") ?? width);
    return excess_of({ drawn, width, is_narrow });
  }

  async save_svg() {
    await this.drawing;
    const text = await this.view.toSVG();
    save_blob(`${this.name}.svg`, new Blob([text], { type: "image/svg+xml" }));
  }

  async save_png() {
    await this.drawing;
    const canvas = await this.view.toCanvas(2);
    canvas.toBlob((blob) => save_blob(`${this.name}.png`, blob), "image/png");
  }
}
