#include "shortfall/learn/status.hpp"

#include "shortfall/learn/detail/state_checks.hpp"

namespace shortfall::learn {

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::warming_up:
      return "warming-up";
    case Status::singular:
      return "singular";
    case Status::diverged:
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
