import { parse, View } from "vega";
import { compile } from "vega-lite";
import { element } from "./dom.js";
import { add_chart } from "./render_queue.js";
import { save_blob, save_button, save_csv } from "./save.js";
import { chart_config, is_print, theme_for } from "./theme.js";
import { show_tooltip } from "./tooltip.js";

/** Below this width, in pixels, a chart is made for a phone. */
const PHONE = 560;

/** How often a chart is drawn at most until it is as wide as its place. */
const ATTEMPTS = 4;

/** What a chart is as wide as on paper. */
const PAPER = 680;

/**
 * @typedef {Object} Surroundings what a chart is made for
 * @property {number} width room for the plots, axes not counted
 * @property {number} room all there is; what the number of columns is to depend on
 * @property {boolean} phone
 * @property {boolean} paper
 * @property {import("./theme.js").Theme} theme
 */

/**
 * A chart with its caption and buttons that save it. It is drawn by the queue, again whenever its
 * surroundings change.
 * @param {Object} options
 * @param {string} options.name of files and of the element, "table-m3-gaps"
 * @param {string} options.title
 * @param {string} options.caption what is to be seen, in a sentence or two
 * @param {Object[]} options.rows the data behind it, for CSV
 * @param {(around: Surroundings) => Object} options.build gives the Vega-Lite specification
 * @param {(phone: boolean, redraw: () => void) => ?HTMLElement} [options.controls] shown above it
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
    this.axes = 70; // what axes and margins take, learned when the chart is drawn
  }

  /** What it would be drawn for now. */
  surroundings() {
    const paper = is_print();
    return { paper, theme: theme_for(), width: paper ? PAPER : this.plot.clientWidth };
  }

  is_outdated() {
    const { theme, width } = this.surroundings();
    return theme !== this.theme || Math.abs(width - this.width) > 1;
  }

  /**
   * One drawing after the other. All of it runs in microtasks, so that it is done before a printer
   * looks at the page.
   */
  draw() {
    this.drawing = this.drawing.then(() => this.draw_now());
    return this.drawing;
  }

  async draw_now() {
    const { theme, width } = this.surroundings();
    if (width === 0) return;
    Object.assign(this, { theme, width });
    // The room axes take is known only once they are laid out.
    for (let left = ATTEMPTS; left > 0; --left) {
      const excess = await this.attempt();
      if (excess <= 0.5 && excess >= -8) return;
      // A little more than is missing, so that rounding does not make it miss again.
      this.axes += Math.ceil(excess) + 2;
    }
  }

  /** Draws, and returns by how many pixels the result is too wide. */
  async attempt() {
    const { theme } = this;
    const width = Math.max(120, this.width - this.axes);
    const phone = this.width < PHONE;
    const spec = this.build({ width, room: this.width, phone, paper: is_print(), theme });
    const { is_narrow, ...plain } = spec;
    const compiled = compile(plain, { config: chart_config(theme) }).spec;
    if (this.view) this.view.finalize();
    const place = element("div");
    this.view = new View(parse(compiled), {
      renderer: "svg",
      container: place,
      hover: false,
      tooltip: show_tooltip,
    });
    await this.view.runAsync();
    this.plot.replaceChildren(place);
    const svg = place.querySelector("svg");
    const drawn = Number(svg?.getAttribute("width") ?? this.width);
    return is_narrow && drawn <= this.width ? 0 : drawn - this.width;
  }

  async save_svg(name) {
    const text = await this.view.toSVG();
    save_blob(`${name}.svg`, new Blob([text], { type: "image/svg+xml" }));
  }

  async save_png(name) {
    const canvas = await this.view.toCanvas(2);
    canvas.toBlob((blob) => save_blob(`${name}.png`, blob), "image/png");
  }
}
