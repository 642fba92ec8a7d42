/** Facts about all studies, computed from their tables. */

/**
 * @param {Object[]} studies
 * @returns {{confirmed: number, refuted: number, open: number}}
 */
export function count_verdicts(studies) {
  const counts = { confirmed: 0, refuted: 0, open: 0 };
  for (const { findings } of studies) {
    for (const { verdict } of findings) counts[verdict] += 1;
  }
  return counts;
}

/**
 * Verdicts on our own claims, which the paper does not make.
 * @param {Object[]} studies
 * @returns {{confirmed: number, refuted: number, open: number}}
 */
export function own_claims(studies) {
  return count_verdicts(
    studies.map(({ findings }) => ({
      findings: findings.filter(({ published }) => published === ""),
    })),
  );
}

/**
 * The deterministic cells of each table: how many agree with the paper to the printed digit.
 * @param {Object[]} studies
 * @returns {{name: string, matching: number, cells: number}[]} one per table
 */
export function exact_cells(studies) {
  return value_tables(studies).map(({ study, cells }) => {
    const exact = cells.filter((cell) => cell.matches !== null);
    const matching = exact.filter((cell) => cell.matches).length;
    return { name: study, matching, cells: exact.length };
  });
}

/**
 * The effect of the paper's stopping rule on exact policies: the largest underestimate of a value
 * in percent, and the number of gaps that exist only because of the rule: 0.01 % or more under the
 * rule but below 0.005 % after convergence.
 * @param {Object[]} studies
 * @returns {?{too_low_percent: number, vanishing: number, largest_change: number}} null without data
 */
export function stopping_rule(studies) {
  const cells = value_tables(studies).flatMap((table) => table.cells);
  const exact = cells.filter((cell) => cell.matches !== null && cell.converged > 0);
  if (exact.length === 0) return null;
  const low = exact.map((cell) => 100 * (1 - cell.ours / cell.converged));
  const gaps = exact.filter(
    (cell) => cell.ours_gap_percent !== null && cell.true_gap_percent !== null,
  );
  const vanishing = gaps.filter(
    (cell) => cell.ours_gap_percent >= 0.01 && Math.abs(cell.true_gap_percent) < 0.005,
  );
  const changes = gaps.map((cell) => Math.abs(cell.ours_gap_percent - cell.true_gap_percent));
  return {
    too_low_percent: Math.max(...low),
    vanishing: vanishing.length,
    largest_change: Math.max(0, ...changes),
  };
}

/**
 * Shelf life 8: the time to compute the exact optimum here, and the time the paper reports for one
 * exact evaluation.
 * @param {Object[]} studies
 * @returns {?{slowest_seconds: number, states: number, paper_hours: ?[number, number]}}
 */
export function shelf_life_eight(studies) {
  const study = studies.find((candidate) => candidate.study === "table-runtime");
  const optimal = (study?.tables.eight ?? []).filter((row) => row.policy === "Optimal");
  if (optimal.length === 0) return null;
  const hours = (study.tables.cells ?? [])
    .filter((cell) => cell.m === 8 && cell.method === "VI" && cell.paper_seconds !== null)
    .map((cell) => cell.paper_seconds / 3600);
  return {
    slowest_seconds: Math.max(...optimal.map((row) => row.seconds)),
    states: optimal[0].states,
    paper_hours: hours.length > 0 ? [Math.min(...hours), Math.max(...hours)] : null,
  };
}

function value_tables(studies) {
  return studies
    .filter(({ study }) => study === "table-m3" || study === "table-m5")
    .map(({ study, tables }) => ({ study, cells: tables.cells ?? [] }));
}
