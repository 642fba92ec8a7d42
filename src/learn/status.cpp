#include "shortfall/learn/status.hpp"

#include "shortfall/learn/detail/state_checks.hpp"

namespace shortfall::learn {

void DivergenceGuard::check_state() const {
  detail::check_real("horizon", horizon_, 0.0, horizon_limit_);
  detail::check_real("largest_cost", largest_cost_, 0.0, largest_double);
  detail::check_real("largest_start", start_, 0.0, largest_double);
}

}  // namespace shortfall::learn
