import assert from "node:assert/strict";
import { test } from "node:test";
import {
  count_verdicts,
  exact_cells,
  own_claims,
  shelf_life_eight,
  stopping_rule,
} from "../src/report/facts.js";
import { open_reason } from "../src/report/overview.js";
import { fill } from "./fixture.mjs";

const cell = (changes) => ({
  matches: true,
  ours: 99,
  converged: 100,
  ours_gap_percent: null,
  true_gap_percent: null,
  ...changes,
});
const table = (cells) => ({ study: "table-m3", findings: [], tables: { cells } });

test("verdicts are counted over all studies", () => {
  const study = (...verdicts) => ({ findings: verdicts.map((verdict) => ({ verdict })) });
  const counts = count_verdicts([
    study("open", "confirmed"),
    study(),
    study("confirmed", "refuted"),
  ]);
  assert.deepEqual(counts, { confirmed: 2, refuted: 1, open: 1 });
});

test("open claims in a quick run are explained by the short run, in a full run by the results", () => {
  assert.match(open_reason("quick"), /quick run, which is shorter/);
  assert.match(open_reason("full"), /mixed or too close/);
});

test("claims without anything published are our own", () => {
  const findings = [
    { verdict: "confirmed", published: "" },
    { verdict: "confirmed", published: "12 of 14" },
    { verdict: "refuted", published: "" },
  ];
  assert.deepEqual(own_claims([{ findings }]), { confirmed: 1, refuted: 1, open: 0 });
});

test("random cells are not counted as exact", () => {
  const cells = [cell({}), cell({ matches: false }), cell({ matches: null })];
  assert.deepEqual(exact_cells([table(cells)]), [{ name: "table-m3", matching: 1, cells: 2 }]);
});

test("the stopping rule: the largest underestimate and the gaps that vanish", () => {
  const cells = [
    cell({}),
    cell({ ours: 99.9, ours_gap_percent: 0.01, true_gap_percent: 0 }),
    cell({ ours: 99.9, ours_gap_percent: 0.009, true_gap_percent: 0 }),
    cell({ ours: 99.9, ours_gap_percent: 0.5, true_gap_percent: 0.2 }),
    cell({ matches: null, ours: 10 }),
  ];
  const rule = stopping_rule([table(cells)]);
  assert.ok(Math.abs(rule.too_low_percent - 1) < 1e-12);
  assert.equal(rule.vanishing, 1);
  assert.ok(Math.abs(rule.largest_change - 0.3) < 1e-12);
  assert.equal(stopping_rule([]), null);
});

test("shelf life 8: the slowest optimum and the hours in the paper", () => {
  const eight = [
    { policy: "Optimal", seconds: 20, states: 888030 },
    { policy: "Optimal", seconds: 25, states: 888030 },
    { policy: "Static", seconds: 99, states: 888030 },
  ];
  const cells = [
    { m: 8, method: "VI", paper_seconds: 50400 },
    { m: 8, method: "VI", paper_seconds: 126000 },
    { m: 5, method: "VI", paper_seconds: 400 },
  ];
  const study = { study: "table-runtime", tables: { cells, eight } };
  assert.deepEqual(shelf_life_eight([study]), {
    slowest_seconds: 25,
    states: 888030,
    paper_hours: [14, 35],
  });
  assert.equal(shelf_life_eight([]), null);
});

test("data cannot close their script element", () => {
  const page = fill("<p></p><!--DATA--><script>1</script>", { source: "</script><b>$&" });
  assert.equal(page.split("</script>").length, 3);
  const json = page.match(/id="data">(.*?)<\/script>/)[1];
  assert.equal(JSON.parse(json).source, "</script><b>$&");
});
