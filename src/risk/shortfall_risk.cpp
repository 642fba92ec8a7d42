#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "risk/shortfall_risk.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include <algorithm>

#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

/// As `summarise`, with the mean taken relative to an atom, so that its error scales with the
/// spread.
LawSummary law_summary(const Law& law) {
  const Doubles d;
  const double* const x = law.atoms.data();
  const double* const p = law.probabilities.data();
  const std::size_t count = law.atoms.size();
  const auto likely = std::find_if(p, p + count, [](double q) { return q > 0.0; });
  const double origin = x[likely == p + count ? 0 : likely - p];
  const Vec centre = hn::Set(d, origin);
  Vec min = centre;
  Vec max = centre;
  LongSum mean = zero_sum<LongSum>();
  for_each_atom(d, law, centre, [&](std::size_t k, Vec atoms, Vec weight) HWY_ATTR {
    atoms = hn::IfThenElse(hn::Gt(weight, hn::Zero(d)), atoms, centre);
    min = min_of(min, atoms);
    max = max_of(max, atoms);
    mean.part[k] = mul_add(weight, hn::Sub(atoms, centre), mean.part[k]);
  });
  return {hn::GetLane(hn::MinOfLanes(d, min)), hn::GetLane(hn::MaxOfLanes(d, max)),
          origin + mean.sum()};
}

LossPoint law_expected_loss(const AnyLoss& loss, const Law& law, double m) {
  return std::visit([&](const auto& l) { return expected(l, law, m); }, loss.variant());
}

double law_risk(const AnyLoss& loss, const Law& law, double start) {
  const LawSummary summary = law_summary(law);
  return std::visit([&](const auto& l) { return risk(l, law, summary, start); }, loss.variant());
}

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace shortfall {

HWY_EXPORT(law_expected_loss);
HWY_EXPORT(law_risk);

LossPoint expected_loss(const AnyLoss& loss, const Law& law, double m) {
  return HWY_DYNAMIC_DISPATCH(law_expected_loss)(loss, law, m);
}

double shortfall_risk(const AnyLoss& loss, const Law& law, double start) {
  return HWY_DYNAMIC_DISPATCH(law_risk)(loss, law, start);
}

bool is_acceptable(const AnyLoss& loss, const Law& law, double m) {
  return expected_loss(loss, law, m).value <= 0.0;
}

}  // namespace shortfall
#endif  // HWY_ONCE
