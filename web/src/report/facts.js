/** Facts about all studies, as their documents state them. */

/**
 * How many claims have each verdict.
 * @param {Object[]} studies
 * @param {string} origin whose claims: "paper" or "ours"
 * @returns {Object<string, number>} by verdict, those that occur
 */
export function count_verdicts(studies, origin) {
  const counts = {};
  for (const { findings } of studies) {
    for (const finding of findings) {
      if (finding.origin === origin) counts[finding.verdict] = (counts[finding.verdict] ?? 0) + 1;
    }
  }
  return counts;
}

/**
 * The deterministic cells of each table: how many agree with the paper to the printed digit.
 * @param {Object[]} studies
 * @returns {{name: string, matching: number, cells: number}[]} one per table
 */
export function exact_cells(studies) {
  return table_facts(studies).map(({ study, facts }) => ({
    name: study,
    matching: facts.matching_cells,
    cells: facts.exact_cells,
  }));
}

/**
 * The effect of the paper's stopping rule on exact policies, over all tables.
 * @param {Object[]} studies
 * @returns {?{too_low_percent: number, vanishing: number, largest_change: number}} null without data
 */
export function stopping_rule(studies) {
  const facts = table_facts(studies).map((table) => table.facts);
  if (facts.length === 0) return null;
  return {
    too_low_percent: Math.max(...facts.map((one) => one.too_low_percent)),
    vanishing: facts.reduce((sum, one) => sum + one.vanishing_gaps, 0),
    largest_change: Math.max(...facts.map((one) => one.largest_gap_change)),
  };
}

/**
 * Shelf life 8: the time to compute the exact optimum here, and the time the paper reports for one
 * exact evaluation.
 * @param {Object[]} studies
 * @returns {?Object} null if no optimum was computed
 */
export function shelf_life_eight(studies) {
  const facts = studies.find(({ study }) => study === "table-runtime")?.facts;
  return facts?.states ? facts : null;
}

function table_facts(studies) {
  return studies.filter(
    ({ study, facts }) => /^table-m[35]$/.test(study) && facts?.exact_cells > 0,
  );
}
