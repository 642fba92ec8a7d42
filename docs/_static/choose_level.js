// Finds a risk level by asking: which sure cost is as bad as a chance of a larger one?
// τ p (C - S) = (1 - τ) (1 - p) S at the point of indifference.
function level(chance, share) {
  const above = chance * (1 - share), below = (1 - chance) * share;
  return below / (above + below);
}

// The other way round: the sure share that is as bad as the chance, for a person of this level.
function share(chance, tau) {
  const above = tau * chance, below = (1 - tau) * (1 - chance);
  return above / (above + below);
}

// Each question halves the range of levels that is left, six times: to 1/64.
class Interview {
  constructor(chances = [0.5, 0.2, 0.05], steps = 6) {
    Object.assign(this, { chances, steps, found: [] });
    this.begin();
  }
  begin() {
    this.low = 0;
    this.high = 1;
    this.step = 0;
  }
  get chance() { return this.chances[this.found.length]; }
  get done() { return this.found.length === this.chances.length; }
  get middle() { return (this.low + this.high) / 2; }
  // The sure cost that is offered, as a share of the amount; first the average.
  get offer() { return share(this.chance, this.middle); }
  // Whether the sure cost was preferred: then the lottery is worse than it.
  answer(prefers_sure) {
    if (prefers_sure) this.low = this.middle; else this.high = this.middle;
    if (++this.step < this.steps) return;
    this.found.push(this.middle);
    this.begin();
  }
  get tau() { return [...this.found].sort((a, b) => a - b)[1]; }
  get spread() { return Math.max(...this.found) - Math.min(...this.found); }
}

function show(box, interview, amount) {
  const money = (share) => Math.round(share * amount).toLocaleString("en");
  const say = (tag, text) => {
    const element = document.createElement(tag);
    element.textContent = text;
    box.append(element);
    return element;
  };
  box.replaceChildren();
  if (interview.done) {
    const tau = interview.tau.toFixed(2);
    say("p", `Your level: τ = ${tau}`).className = "choose-result";
    say("p", `By question: ${interview.found.map((each) => each.toFixed(2)).join(", ")}.`);
    say("p", interview.spread > 0.2
      ? "These differ: an expectile does not describe you well. Ask again, or use a piecewise loss."
      : "These are close together: an expectile describes you well.");
    say("pre", `[risk]\nloss = "expectile:${tau}"`);
    say("button", "Ask again").onclick = () => show(box, new Interview(), amount);
    return;
  }
  const asked = interview.found.length * interview.steps + interview.step + 1;
  say("p", `Question ${asked} of ${interview.chances.length * interview.steps}. Which is worse?`);
  const choices = say("div", "");
  choices.className = "choose-offers";
  const offer = (text, prefers_sure) => {
    const button = document.createElement("button");
    button.textContent = text;
    button.onclick = () => {
      interview.answer(prefers_sure);
      show(box, interview, amount);
    };
    choices.append(button);
  };
  offer(`A cost of ${money(1)} with a chance of ${Math.round(interview.chance * 100)} %, otherwise nothing`, true);
  offer(`A sure cost of ${money(interview.offer)}`, false);
}

if (typeof document !== "undefined") {
  document.addEventListener("DOMContentLoaded", () => {
    const box = document.getElementById("choose-level");
    if (!box) return;
    box.hidden = false;
    show(box, new Interview(), 1000);
  });
}
if (typeof module !== "undefined") module.exports = { level, share, Interview };
