#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "risk/shortfall_risk.cpp"
#include <hwy/foreach_target.h>  // must precede highway.h

#include <hwy/highway.h>

#include "risk/vector_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

LawSummary law_summary(const Law& law) {
  const Doubles d;
  const std::size_t lanes = hn::Lanes(d);
  const double* const x = law.atoms.data();
  const double* const p = law.probabilities.data();
  const std::size_t count = law.atoms.size();
  const double first = x[0];
  const Vec centre = hn::Set(d, first);
  Vec min = centre;
  Vec max = centre;
  Vec mean = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const Vec atoms = hn::LoadU(d, x + i);
    min = hn::Min(min, atoms);
    max = hn::Max(max, atoms);
    mean = hn::MulAdd(hn::LoadU(d, p + i), hn::Sub(atoms, centre), mean);
  }
  LawSummary summary{hn::GetLane(hn::MinOfLanes(d, min)), hn::GetLane(hn::MaxOfLanes(d, max)),
                     sum_of(d, mean)};
  for (; i < count; ++i) {
    summary.min = std::min(summary.min, x[i]);
    summary.max = std::max(summary.max, x[i]);
    summary.mean += p[i] * (x[i] - first);
  }
  summary.mean = std::clamp(first + summary.mean, summary.min, summary.max);
  return summary;
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
