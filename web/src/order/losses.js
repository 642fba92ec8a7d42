/**
 * Losses and their shortfall risk, the m with E loss(X - m) = 0, as in include/shortfall/risk. A
 * loss is {mean: true}, {beta} for the entropic one, or {at(x, out)}, which writes loss and slope.
 */

/**
 * @param {string} text "expectile:0.9", as on the command line
 * @returns {?Object} null for a loss that this page does not know
 */
export function parse_loss(text) {
  const [name, ...rest] = text.split(":");
  const numbers = rest.join(":").split(/[:,]/).map(Number);
  if (name === "mean") return { mean: true };
  if (name === "expectile") return piecewise([0], [1 - numbers[0], numbers[0]]);
  if (name === "entropic") return { beta: numbers[0] };
  if (name === "truncated-entropic") return truncated_entropic(...numbers);
  if (name === "soft-quantile") {
    const [mu, kappa] = numbers;
    const slopes = [(1 - mu) * kappa, (1 - mu) / kappa, mu / kappa, mu * kappa];
    return piecewise([-kappa, 0, kappa], slopes);
  }
  if (name === "piecewise") {
    const x = numbers.filter((_, i) => i % 2 === 0);
    const y = numbers.filter((_, i) => i % 2 === 1);
    const slopes = x.slice(1).map((to, i) => (y[i + 1] - y[i]) / (to - x[i]));
    return piecewise(x.slice(1, -1), slopes);
  }
  return null;
}

/** Zero at the origin, with one slope more than kinks. */
function piecewise(kinks, slopes) {
  const at_kink = kinks.map((kink) => integral(kink));
  function integral(x) {
    // The integral of the slope from 0 to x, piece by piece.
    let sum = 0;
    for (let i = 0; i < slopes.length; ++i) {
      const from = i === 0 ? -Infinity : kinks[i - 1];
      const to = i === kinks.length ? Infinity : kinks[i];
      const low = Math.max(from, Math.min(0, x));
      const high = Math.min(to, Math.max(0, x));
      if (high > low) sum += slopes[i] * (high - low);
    }
    return x < 0 ? -sum : sum;
  }
  const at = (x, out) => {
    let i = 0;
    while (i < kinks.length && x > kinks[i]) ++i;
    const anchor = i === 0 ? 0 : i - 1;
    out[0] = kinks.length === 0 ? slopes[0] * x : at_kink[anchor] + slopes[i] * (x - kinks[anchor]);
    out[1] = slopes[i];
  };
  return { at };
}

function truncated_entropic(beta, bound) {
  return {
    at: (x, out) => {
      const inside = Math.max(-bound, Math.min(bound, x));
      out[1] = beta * Math.exp(beta * inside);
      out[0] = Math.expm1(beta * inside) + out[1] * (x - inside);
    },
  };
}

/**
 * @param {Object} loss of parse_loss
 * @param {{atoms: Float64Array, weights: Float64Array, count: number}} law weights sum to one
 * @returns {number}
 */
export function shortfall_risk(loss, law) {
  if (loss.mean) return expectation(law, (x) => x);
  const [least, most] = range(law);
  if (loss.beta !== undefined) {
    return most + Math.log(expectation(law, (x) => Math.exp(loss.beta * (x - most)))) / loss.beta;
  }
  return root(loss, law, least, most);
}

/** Newton's method within a bracket: exact after a few steps if the loss is piecewise linear. */
function root(loss, { atoms, weights, count }, least, most) {
  let [low, high] = [least, most];
  let m = expectation({ atoms, weights, count }, (x) => x);
  const out = new Float64Array(2);
  for (let step = 0; step < 200; ++step) {
    let [value, slope] = [0, 0];
    for (let i = 0; i < count; ++i) {
      loss.at(atoms[i] - m, out);
      value += weights[i] * out[0];
      slope += weights[i] * out[1];
    }
    if (value > 0) low = m;
    else high = m;
    const newton = m + value / slope;
    const next = newton >= low && newton <= high ? newton : (low + high) / 2;
    if (Math.abs(next - m) <= 1e-14 * Math.max(Math.abs(least), Math.abs(most))) return next;
    m = next;
  }
  return m;
}

function range({ atoms, count }) {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < count; ++i) {
    if (atoms[i] < least) least = atoms[i];
    if (atoms[i] > most) most = atoms[i];
  }
  return [least, most];
}

function expectation({ atoms, weights, count }, f) {
  let sum = 0;
  for (let i = 0; i < count; ++i) sum += weights[i] * f(atoms[i]);
  return sum;
}
