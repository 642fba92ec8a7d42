#include "shortfall/learn/step_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "errors/require.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::learn {
namespace {

constexpr std::string_view name = "step size";

bool is_positive(double x) {
  return x > 0.0 && std::isfinite(x);
}

}  // namespace

PolynomialStep::PolynomialStep(double b1, double b2, double delta)
    : b1_(b1), b2_(b2), delta_(delta) {
  require(is_positive(b1) && is_positive(b2) && delta >= 0.0 && delta <= 2.0,
          "step size b1/(n + b2)^delta with b1 = {}, b2 = {}, delta = {}; accepted: b1 > "
          "0, b2 > 0, delta from 0 to 2",
          b1, b2, delta);
  coefficient_[0] = 1.0;
  for (int j = 1; j < 8; ++j) coefficient_[j] = coefficient_[j - 1] * (1.0 - j - delta) / j;
}

double PolynomialStep::first_of_block(std::uint64_t n) {
  // A function of n alone, so that η_n does not depend on where a run began. Blocks grow with n and
  // begin at 128 times their size or later; a large b₂ allows some from the start.
  const auto by_b2 = std::bit_floor(static_cast<std::uint64_t>(std::min(b2_, 4096.0))) / 128;
  const std::uint64_t size = std::max<std::uint64_t>({1, by_b2, std::bit_floor(n) / 128});
  block_begin_ = n - n % size;
  block_size_ = size;
  const double m = static_cast<double>(block_begin_) + b2_;
  block_step_ = b1_ * portable::pow(m, -delta_);
  block_inverse_ = size > 1 ? 1.0 / m : 0.0;  // not infinite for the least of b₂
  return (*this)(n);
}

theory::Assumption PolynomialStep::assumption() const {
  const std::string rule = fmt::format("{}/(n + {})^{:.6g}", b1_, b2_, delta_);
  if (delta_ > 1.0) return {name, false, rule + ": the steps have a finite sum; delta > 1"};
  if (delta_ <= 0.5) {
    return {name, false, rule + ": the squared steps have an infinite sum; delta <= 1/2"};
  }
  return {name, true, rule + ": delta is in (1/2, 1]"};
}

ConstantStep::ConstantStep(double eta) : eta_(eta) {
  require(is_positive(eta), "constant step size {}; accepted: a number > 0", eta);
}

theory::Assumption ConstantStep::assumption() const {
  return {name, false,
          fmt::format("{} at every step: the squared steps have an infinite sum", eta_)};
}

theory::Assumption unknown_step_size_assumption() {
  return {name, false, "a user-defined rule that does not state whether the assumption holds"};
}

}  // namespace shortfall::learn
