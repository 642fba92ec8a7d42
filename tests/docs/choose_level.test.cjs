// The page that finds a risk level by asking: its formula is that of the command, and an interview
// finds the level of whoever answers by one.
const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const { level, Interview } = require("../../docs/_static/choose_level.js");
const binary = process.argv[2];

for (const chance of [0.05, 0.2, 0.5, 0.9]) {
  for (const share of [0.02, 0.3, 0.5, 0.85]) {
    const law = `value,probability\n0,${1 - chance}\n1000,${chance}\n`;
    const given = ["risk", "--json", "--loss", `expectile:${level(chance, share)}`];
    const { risk } = JSON.parse(execFileSync(binary, given, { input: law, encoding: "utf-8" }));
    assert.ok(Math.abs(risk - 1000 * share) < 1e-9, `${chance}, ${share}: ${risk}`);
  }
}

// The sure share that is as bad as the lottery, for a person of this level.
const share_of = (tau, chance) => (tau * chance) / (tau * chance + (1 - tau) * (1 - chance));
for (const tau of [0.3, 0.5, 0.6, 0.75, 0.9]) {
  const interview = new Interview();
  let questions = 0;
  while (!interview.done) {
    interview.answer(share_of(tau, interview.chance) > interview.offer);
    ++questions;
  }
  assert.strictEqual(questions, 18);
  // Six answers leave half of 1/32 of the amount or less; near 0 and 1 a level is steep in that.
  assert.ok(Math.abs(interview.tau - tau) < 0.04, `${tau}: ${interview.found}`);
}
console.log("ok: 16 lotteries, 5 interviews");
