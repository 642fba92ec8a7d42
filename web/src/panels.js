import { element, labelled_select } from "./dom.js";
import { distinct } from "./sorting.js";

/**
 * @typedef {Object} Dimension a parameter that differs between the panels of a figure
 * @property {string} key
 * @property {string} label
 * @property {any} [phone] initial value on a phone; default: the last
 * @property {any} [first] initial value on a large screen; default: all
 * @property {(value: any) => string} [text]
 */

/** Selects which panels of a figure are shown: one value per dimension, or all. */
export class PanelChoice {
  /**
   * @param {Object[]} rows
   * @param {Dimension[]} dimensions
   */
  constructor(rows, dimensions) {
    this.dimensions = dimensions.map((dimension) => ({
      ...dimension,
      values: distinct(rows, dimension.key),
    }));
    this.chosen = {};
  }

  /** The select fields above the chart, for `chart_view`. */
  controls = (phone, redraw) => {
    const many = this.dimensions.filter(({ values }) => values.length > 1);
    if (many.length === 0) return null;
    return element(
      "div",
      { class: "controls" },
      many.map((dimension) => this.make_select(dimension, phone, redraw)),
    );
  };

  make_select({ key, label, values, phone: on_phone, first, text = String }, phone, redraw) {
    const initial = phone ? (on_phone ?? values[values.length - 1]) : first;
    const at = values.indexOf(initial);
    this.chosen[key] = at < 0 ? undefined : { value: values[at] };
    const on_change = (choice) => {
      this.chosen[key] = choice === "" ? undefined : { value: values[Number(choice)] };
      redraw();
    };
    const options = values.map((value, i) => ({ value: String(i), text: text(value) }));
    const all = { value: "", text: "all" };
    return labelled_select({
      label,
      options: [all, ...options],
      value: at < 0 ? "" : String(at),
      on_change,
    });
  }

  /**
   * @param {Object} row
   * @returns {boolean} whether its panel is shown
   */
  shows(row) {
    return this.dimensions.every(({ key }) => {
      const choice = this.chosen[key];
      return choice === undefined || row[key] === choice.value;
    });
  }

  /**
   * @param {string} key
   * @returns {any[]} the selected values of a dimension
   */
  values(key) {
    const { values } = this.dimensions.find((dimension) => dimension.key === key);
    const choice = this.chosen[key];
    return choice === undefined ? values : [choice.value];
  }

  /**
   * @param {string} key
   * @param {import("./drawing.js").ChartContext} context
   * @returns {any[]} the selected values; when printed, all
   */
  values_in(key, { print }) {
    if (!print) return this.values(key);
    return this.dimensions.find((dimension) => dimension.key === key).values;
  }
}

/**
 * The layout of panels in a grid.
 * @param {Object} options
 * @param {number} options.width of the grid
 * @param {boolean} options.phone use one column
 * @param {number} options.columns
 * @param {number} [options.spacing]
 * @param {number} [options.widest] maximum width of a panel
 * @returns {{columns: number, width: number, is_narrow: boolean}} width of a panel; whether the
 *   grid is narrower than `width`
 */
export function panel_grid({ width, phone, columns, spacing = 16, widest = 640 }) {
  const across = phone ? 1 : Math.max(1, columns);
  const share = Math.floor((width - (across - 1) * spacing) / across);
  return { columns: across, width: Math.min(share, widest), is_narrow: share > widest };
}

/**
 * Whether a panel is at the left or the bottom of its grid, where the axes are labelled.
 * @param {number} index of the panel
 * @param {number} panels number of panels
 * @param {number} columns
 * @returns {{is_left: boolean, is_bottom: boolean}}
 */
export function edges(index, panels, columns) {
  return { is_left: index % columns === 0, is_bottom: index + columns >= panels };
}
