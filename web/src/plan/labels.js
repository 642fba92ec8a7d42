import { fixed } from "../format.js";

/** The names of the rules, for planners. */
const POLICY_NAMES = {
  optimal: "Recommended",
  static: "Ignores expiry",
  myopic: "Today's cost only",
  "risk-neutral": "Average cost only",
};

/**
 * @param {string} policy "optimal"
 * @returns {string} "Recommended"
 */
export function policy_name(policy) {
  return POLICY_NAMES[policy] ?? policy;
}

/** The 95 % quantile of cost; hyphens without line breaks. */
export const BAD_CASE = "1\u2011in\u201120 bad case";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/**
 * @param {number} day 0 is Monday
 * @returns {string}
 */
export function weekday(day) {
  return WEEKDAYS[day];
}

/**
 * @param {number} number
 * @returns {string} "1 day left"
 */
export function days_left(number) {
  return `${number} ${number === 1 ? "day" : "days"} left`;
}

function parts_of(loss) {
  const [family, parameters = ""] = loss.split(":");
  return { family, level: Number(parameters.split(",")[0]) };
}

/**
 * @param {string} loss "expectile:0.5"
 * @returns {boolean} whether high and low costs have the same weight
 */
export function is_neutral(loss) {
  const { family, level } = parts_of(loss);
  return family === "mean" || (family === "expectile" && level === 0.5);
}

/**
 * The attitude to risk of a loss function, in plain words.
 * @param {string} loss "expectile:0.9"
 * @returns {string} a clause to follow "The plan is"
 */
export function attitude(loss) {
  const { family, level } = parts_of(loss);
  if (is_neutral(loss)) {
    return "risk-neutral: it minimises the average cost";
  }
  if (family === "expectile") {
    const ratio = level > 0.5 ? level / (1 - level) : (1 - level) / level;
    const times = `${fixed(ratio, ratio < 9.95 && Math.abs(ratio - Math.round(ratio)) > 0.05 ? 1 : 0)} times`;
    return level > 0.5
      ? `cautious: costs above the planned level count ${times} as much as costs below it`
      : `risk-seeking: costs below the planned level count ${times} as much as costs above it`;
  }
  if (family === "entropic" || family === "truncated-entropic") {
    return "cautious: the further a cost is above the planned level, the more it counts";
  }
  return `optimal for the attitude to risk in the configuration (${loss})`;
}
