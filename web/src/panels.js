import { element, labelled_select } from "./dom.js";
import { distinct } from "./sorting.js";

/**
 * @typedef {Object} Dimension a way in which the panels of a figure differ
 * @property {string} key
 * @property {string} label
 * @property {any} [phone] what a phone shows first
 * @property {any} [first] what a large screen shows first; without it, all
 * @property {(value: any) => string} [text]
 */

/** Which panels of a figure of many are shown: one choice a dimension, or all. */
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

  /** The choosers above the chart; an argument of `chart_view`. */
  controls = (phone, redraw) => {
    const many = this.dimensions.filter(({ values }) => values.length > 1);
    if (many.length === 0) return null;
    return element(
      "div",
      { class: "controls" },
      many.map((one) => this.make_one(one, phone, redraw)),
    );
  };

  make_one({ key, label, values, phone: small, first, text = String }, phone, redraw) {
    const initial = phone ? (small ?? values[values.length - 1]) : first;
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
   * @returns {any[]} the values of a dimension that are shown
   */
  values(key) {
    const { values } = this.dimensions.find((dimension) => dimension.key === key);
    const choice = this.chosen[key];
    return choice === undefined ? values : [choice.value];
  }

  /**
   * @param {string} key
   * @param {import("./chart_view.js").Surroundings} around
   * @returns {any[]} those that are shown; on paper, where nobody can choose, all
   */
  values_in(key, { paper }) {
    if (!paper) return this.values(key);
    return this.dimensions.find((dimension) => dimension.key === key).values;
  }
}

/**
 * How panels are laid out.
 * @param {Object} room
 * @param {number} room.width
 * @param {boolean} room.phone one column
 * @param {number} room.columns how many columns there would be
 * @param {number} [room.spacing]
 * @param {number} [room.widest] no panel is wider
 * @returns {{columns: number, width: number, is_narrow: boolean}} width of a panel
 */
export function panel_grid({ width, phone, columns, spacing = 16, widest = 640 }) {
  const across = phone ? 1 : Math.max(1, columns);
  const share = Math.floor((width - (across - 1) * spacing) / across);
  return { columns: across, width: Math.min(share, widest), is_narrow: share > widest };
}

/**
 * Whether a panel stands at the left or at the foot of its grid, where the axes are.
 * @param {number} index of the panel
 * @param {number} panels how many
 * @param {number} columns
 * @returns {{is_left: boolean, is_foot: boolean}}
 */
export function edges(index, panels, columns) {
  return { is_left: index % columns === 0, is_foot: index + columns >= panels };
}
