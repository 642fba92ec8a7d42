import { fixed } from "../format.js";

/** The names of the rules, for planners. */
const POLICY_NAMES = {
  optimal: "Recommended",
  static: "Ignores expiry",
  myopic: "Today's cost only",
  "risk-neutral": "Average cost only",
};

/** Rules with levels, as on the command line. */
const LEVEL_RULES = [
  [/^base-stock:(\d+)$/, ([, level]) => `Order up to ${level}`],
  [/^reorder:(\d+),(\d+)$/, ([, at, level]) => `Up to ${level} at ${at} or fewer`],
  [/^fixed:(\d+)$/, ([, units]) => `Always order ${units}`],
];

/**
 * @param {string} policy "optimal" or "base-stock:15"
 * @returns {string} "Recommended" or "Order up to 15"
 */
export function policy_name(policy) {
  for (const [pattern, name] of LEVEL_RULES) {
    const found = pattern.exec(policy);
    if (found) return name(found);
  }
  return POLICY_NAMES[policy] ?? policy;
}

/** The 95 % quantile of cost; hyphens without line breaks. */
export const BAD_CASE = "1\u2011in\u201120 bad case";

/** The 95 % quantile of the cost of 30 days. */
export const BAD_MONTH = "1\u2011in\u201120 bad month";

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

/**
 * An attitude to risk in plain words.
 * @param {{kind: string, weight_ratio: ?number}} attitude
 * @param {string} loss
 * @returns {string} a clause to follow "The plan is"
 */
export function attitude({ kind, weight_ratio: ratio }, loss) {
  if (kind === "neutral") return "risk-neutral: it minimises the average cost";
  if (ratio !== null) {
    const has_decimal = ratio < 9.95 && Math.abs(ratio - Math.round(ratio)) > 0.05;
    const times = `${fixed(ratio, has_decimal ? 1 : 0)} times`;
    return kind === "averse"
      ? `cautious: costs above the planned level count ${times} as much as costs below it`
      : `risk-seeking: costs below the planned level count ${times} as much as costs above it`;
  }
  return kind === "averse"
    ? "cautious: the further a cost is above the planned level, the more it counts"
    : `optimal for the attitude to risk in the configuration (${loss})`;
}
