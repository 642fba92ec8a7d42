import { element } from "../dom.js";
import { count, plural } from "../format.js";
import { tiles } from "../tiles.js";

/**
 * The top of the page: what was run, on what, and how much of it diverged.
 * @param {Object} data
 * @returns {HTMLElement[]}
 */
export function overview(data) {
  const { settings, ends } = data.tables;
  const sum = (key) => ends.reduce((total, row) => total + row[key], 0);
  const guaranteed = ends.filter((row) => row.guaranteed).length;
  const visited = Math.max(...settings.map((row) => row.visited));
  const learners = new Set(ends.map(({ algorithm }) => algorithm)).size;
  return [
    tiles([
      {
        figure: count(data.states),
        name: "States",
        remark:
          `${count(visited)} visited in the long run` +
          (data.terminal_states > 0 ? `, ${count(data.terminal_states)} terminal` : ""),
      },
      {
        figure: count(settings.length),
        name: settings.length === 1 ? "Setting" : "Settings",
        remark: `of features, discount factor and loss, with ${plural(learners, "learner")} in each`,
      },
      {
        figure: count(sum("diverged")),
        name: "Runs diverged",
        remark:
          `of ${count(sum("runs"))}` +
          (sum("singular") > 0 ? `; ${count(sum("singular"))} ended with a singular matrix` : ""),
      },
      {
        figure: count(guaranteed),
        name: "Convergence guaranteed",
        remark: `of ${plural(ends.length, "case")}, each a learner in a setting; see below why`,
      },
    ]),
    element("p", { class: "lead" }, description(data)),
    ...(settings.some(({ gamma }) => gamma === 1) ? [element("p", {}, WITHOUT_DISCOUNT)] : []),
  ];
}

const WITHOUT_DISCOUNT =
  "At γ = 1 nothing is discounted. The values exist all the same, because every path ends. Under " +
  "the mean, TD provably converges if paths restart only after their end. The other proofs ask " +
  "for γ below 1, but without a proof a learner need not fail: judge by the curves.";

function description(data) {
  const start = data.start === "uniform" ? "a random state" : `state ${data.start}`;
  const restarts =
    data.restart > 0 ? `, and begin again with probability ${data.restart} after any step` : "";
  const ends = data.terminal_states > 0 ? ", and begin again there after each end" : "";
  return (
    `Paths begin in ${start}${ends}${restarts}; they are the same for all learners. The policy is ` +
    `${policy_text(data.policy)}. Distances are root mean squares over states, weighted by how ` +
    "often a state is visited."
  );
}

function policy_text(policy) {
  const known = {
    optimal: "the optimal one for each loss and discount factor",
    uniform: "to take all actions with equal probability",
    "of the library": "the one that belongs to the model",
    "the only one": "the only one that the model has",
  };
  return known[policy] ?? `that of ${policy}`;
}
