#include "judge.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "solve.hpp"

namespace oracle {
namespace {

constexpr std::array<mpfr_prec_t, 3> precisions = {256, 768, 2600};
constexpr std::size_t max_rational_states = 8;

/// Bits of the true value that a claim with bound 0 must agree with.
constexpr int bits_of_equality = 120;

std::string digits(const Real& x) {
  std::array<char, 128> buffer{};
  mpfr_snprintf(buffer.data(), buffer.size(), "%.20Rg", x.get());
  return buffer.data();
}

/// Both ends of the enclosure of a state's true value.
struct Between {
  mpq_class low;
  mpq_class high;
};

class Comparison {
 public:
  explicit Comparison(const Claim& claim) : claim_(claim), bound_(claim.error_bound) {
    verdict_.finding = Finding::within;
  }

  void add(std::size_t state, const Between& truth) {
    const mpq_class value(claim_.values[state]);
    const mpq_class below = truth.low - value;
    const mpq_class above = value - truth.high;
    // The error is at least the larger of these, and at most that plus the width.
    mpq_class least = below > above ? below : above;
    if (least < 0) least = 0;
    const mpq_class most = least + (truth.high - truth.low);
    const bool violated = least > bound_;
    // Rounded toward 0, but not to 0.
    const double error =
        least == 0 ? 0.0 : std::max(least.get_d(), std::numeric_limits<double>::denorm_min());
    const double ratio = least == 0                 ? 0.0
                         : claim_.error_bound > 0.0 ? error / claim_.error_bound
                                                    : std::numeric_limits<double>::infinity();
    if (violated) {
      if (verdict_.finding != Finding::violated || ratio > verdict_.ratio)
        keep(state, truth, error, ratio);
      verdict_.finding = Finding::violated;
      return;
    }
    if (verdict_.finding == Finding::violated) return;
    if (most > bound_ && !(least == 0 && agree(truth, value))) {
      verdict_.finding = Finding::undecided;
    }
    if (state == 0 || ratio > verdict_.ratio) keep(state, truth, error, ratio);
  }

  Verdict verdict() const { return verdict_; }

 private:
  static bool agree(const Between& truth, const mpq_class& value) {
    mpq_class width = truth.high - truth.low;
    mpq_mul_2exp(width.get_mpq_t(), width.get_mpq_t(), bits_of_equality);
    return width <= abs(value);
  }

  void keep(std::size_t state, const Between& truth, double error, double ratio) {
    const PrecisionScope scope(precisions[0]);  // of the digits shown
    verdict_.state = state;
    verdict_.truth = truth.low.get_d();
    verdict_.truth_text = digits(Real(truth.low, MPFR_RNDN));
    verdict_.error = error;
    verdict_.ratio = ratio;
  }

  const Claim& claim_;
  mpq_class bound_;
  Verdict verdict_;
};

std::optional<Verdict> judge_rationally(const Problem& problem, const Claim& claim) {
  const bool suits = problem.rational && problem.horizon == 0 &&
                     problem.loss.shape == Loss::Shape::piecewise_linear &&
                     problem.first_state == 0 && problem.rational->size() <= max_rational_states;
  if (!suits) return std::nullopt;
  std::vector<mpq_class> start(claim.values.begin(), claim.values.end());
  start.resize(problem.rational->size());
  const auto truth = solve_exactly(*problem.rational, problem.loss, problem.gamma, start);
  if (!truth) return std::nullopt;
  Comparison comparison(claim);
  for (std::size_t x = 0; x < claim.values.size(); ++x) {
    const mpq_class& value = (*truth)[x];
    comparison.add(x, {value, value});
  }
  Verdict verdict = comparison.verdict();
  verdict.exact = true;
  return verdict;
}

}  // namespace

Verdict judge(const Problem& problem, const Claim& claim) {
  if (const auto verdict = judge_rationally(problem, claim)) return *verdict;
  for (const mpfr_prec_t bits : precisions) {
    const PrecisionScope scope(bits);
    const RealLaws laws = problem.rational ? rounded(*problem.rational) : problem.real();
    std::vector<double> start = claim.values;
    // If only one state is printed, the others are close to it.
    start.resize(laws.size(), claim.values.front());
    const auto truth = problem.horizon == 0
                           ? enclose_fixed_point(laws, problem.loss, problem.gamma, start)
                           : enclose_horizon(laws, problem.loss, problem.gamma, problem.horizon);
    if (!truth) continue;
    Comparison comparison(claim);
    for (std::size_t x = 0; x < claim.values.size(); ++x) {
      const std::size_t state = problem.first_state + x;
      comparison.add(x, {truth->low[state].exact(), truth->high[state].exact()});
    }
    const Verdict verdict = comparison.verdict();
    if (verdict.finding != Finding::undecided) return verdict;
  }
  return {};
}

}  // namespace oracle
