import assert from "node:assert/strict";
import { test } from "node:test";
import {
  count_verdicts,
  exact_cells,
  shelf_life_eight,
  stopping_rule,
} from "../src/report/facts.js";
import { open_reason } from "../src/report/overview.js";
import { fill } from "./fixture.mjs";

test("verdicts of the paper and ours are counted apart, over all studies", () => {
  const study = (origin, ...verdicts) => ({
    findings: verdicts.map((verdict) => ({ verdict, origin })),
  });
  const studies = [
    study("paper", "open", "confirmed"),
    study("ours", "refuted", "confirmed"),
    study("paper", "confirmed", "not-comparable"),
  ];
  assert.deepEqual(count_verdicts(studies, "paper"), {
    open: 1,
    confirmed: 2,
    "not-comparable": 1,
  });
  assert.deepEqual(count_verdicts(studies, "ours"), { refuted: 1, confirmed: 1 });
  assert.deepEqual(count_verdicts([], "ours"), {});
});

test("open claims in a quick run are explained by the short run, in a full run by the results", () => {
  assert.match(open_reason("quick"), /quick run, which is shorter/);
  assert.match(open_reason("full"), /mixed or too close/);
});

const table = (study, facts) => ({
  study,
  facts: {
    exact_cells: 105,
    matching_cells: 104,
    too_low_percent: 0.5,
    vanishing_gaps: 3,
    largest_gap_change: 0.25,
    ...facts,
  },
});

test("facts of both tables are shown together", () => {
  const studies = [
    table("table-m3", {}),
    table("table-m5", { exact_cells: 20, matching_cells: 20, too_low_percent: 0.75 }),
    { study: "figure-gaps", facts: {} },
  ];
  assert.deepEqual(exact_cells(studies), [
    { name: "table-m3", matching: 104, cells: 105 },
    { name: "table-m5", matching: 20, cells: 20 },
  ]);
  assert.deepEqual(stopping_rule(studies), {
    too_low_percent: 0.75,
    vanishing: 6,
    largest_change: 0.25,
  });
});

test("a table without facts says nothing", () => {
  const studies = [{ study: "table-m3" }, { study: "table-m5", facts: {} }];
  assert.deepEqual(exact_cells(studies), []);
  assert.equal(stopping_rule(studies), null);
  assert.equal(stopping_rule([]), null);
});

test("shelf life 8 is mentioned if its optimum was computed", () => {
  const facts = { slowest_optimum_seconds: 25, states: 888030 };
  assert.deepEqual(shelf_life_eight([{ study: "table-runtime", facts }]), facts);
  assert.equal(shelf_life_eight([{ study: "table-runtime", facts: {} }]), null);
  assert.equal(shelf_life_eight([]), null);
});

test("data cannot close their script element", () => {
  const page = fill("<p></p><!--DATA--><script>1</script>", { source: "</script><b>$&" });
  assert.equal(page.split("</script>").length, 3);
  const json = page.match(/id="data">(.*?)<\/script>/)[1];
  assert.equal(JSON.parse(json).source, "</script><b>$&");
});
