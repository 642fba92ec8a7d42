const SHORT_NAMES = {
  "table-m3": "Values, shelf life 3",
  "table-m5": "Values, shelf life 5",
  "table-runtime": "Running times",
  "figure-expectile": "Learning, expectile",
  "figure-soft-quantile": "Learning, soft quantile",
  "figure-policies": "Optimal orders",
  "figure-gaps": "Gap by iteration",
  "figure-costs": "Cost distributions",
  counterexample: "Counterexample",
  discount: "Discount",
  averagers: "Averagers",
  intervals: "Intervals",
  "platelet-week": "A week of platelets",
};

/**
 * @param {string} study "table-m3"
 * @returns {string} the name used in lists
 */
export function short_name(study) {
  return SHORT_NAMES[study] ?? study;
}
