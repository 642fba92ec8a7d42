// The page that finds a risk level by asking: its formula is that of the command, and an interview
// finds the level of whoever answers by one.
const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const { level, share, Interview } = require("../../docs/_static/choose_level.js");
const binary = process.argv[2];

for (const chance of [0.05, 0.2, 0.5, 0.9]) {
  for (const sure of [0.02, 0.3, 0.5, 0.85]) {
    const law = `value,probability\n0,${1 - chance}\n1000,${chance}\n`;
    const given = ["risk", "--json", "--loss", `expectile:${level(chance, sure)}`];
    const { risk } = JSON.parse(execFileSync(binary, given, { input: law, encoding: "utf-8" }));
    assert.ok(Math.abs(risk - 1000 * sure) < 1e-9, `${chance}, ${sure}: ${risk}`);
    assert.ok(Math.abs(share(chance, level(chance, sure)) - sure) < 1e-12);
  }
}

for (const tau of [0.3, 0.5, 0.6, 0.75, 0.9]) {
  const interview = new Interview();
  let questions = 0;
  while (!interview.done) {
    interview.answer(share(interview.chance, tau) > interview.offer);
    ++questions;
  }
  assert.strictEqual(questions, 18);
  for (const found of interview.found) assert.ok(Math.abs(found - tau) <= 1 / 128, `${tau}: ${found}`);
  assert.ok(Math.abs(interview.tau - tau) <= 1 / 128, `${tau}: ${interview.found}`);
}
console.log("ok: 16 lotteries, 5 interviews");
