import { fixed } from "../format.js";

/** What the rules are called in the words of a planner. */
const POLICY_NAMES = {
  optimal: "Recommended",
  static: "As if nothing expired",
  myopic: "One day at a time",
  "risk-neutral": "Average cost only",
};

/**
 * @param {string} policy "optimal"
 * @returns {string} "Recommended"
 */
export function policy_name(policy) {
  return POLICY_NAMES[policy] ?? policy;
}

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
 * @returns {boolean} whether good and bad days weigh the same
 */
export function is_neutral(loss) {
  const { family, level } = parts_of(loss);
  return family === "mean" || (family === "expectile" && level === 0.5);
}

/**
 * The attitude a loss stands for, to someone who has never heard of losses.
 * @param {string} loss "expectile:0.9"
 * @returns {string} a clause to follow "The plan is"
 */
export function attitude(loss) {
  const { family, level } = parts_of(loss);
  if (is_neutral(loss)) {
    return "made for the lowest average cost, good and bad days alike";
  }
  if (family === "expectile") {
    const ratio = level > 0.5 ? level / (1 - level) : (1 - level) / level;
    const times = `${fixed(ratio, ratio < 9.95 && Math.abs(ratio - Math.round(ratio)) > 0.05 ? 1 : 0)} times`;
    return level > 0.5
      ? `cautious: a cost above what is planned for weighs ${times} as much as one below`
      : `hopeful: a cost below what is planned for weighs ${times} as much as one above`;
  }
  if (family === "entropic" || family === "truncated-entropic") {
    return "cautious: the further a cost is above what is planned for, the more it weighs";
  }
  return `made for the attitude to risk in your settings (${loss})`;
}
