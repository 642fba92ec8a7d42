#include "shortfall/learn/status.hpp"

#include "shortfall/learn/detail/state_checks.hpp"

namespace shortfall::learn {

std::string_view to_string(LearnerStatus status) {
  switch (status) {
    case LearnerStatus::ok:
      return "ok";
    case LearnerStatus::warming_up:
      return "warming-up";
    case LearnerStatus::singular:
      return "singular";
    case LearnerStatus::diverged:
      return "diverged";
  }
  return "";
}

void DivergenceGuard::check_state() const {
  detail::check_real("horizon", horizon_, 0.0, horizon_limit_);
  detail::check_real("largest_cost", largest_cost_, 0.0, largest_double);
  detail::check_real("largest_start", start_, 0.0, largest_double);
}

}  // namespace shortfall::learn
