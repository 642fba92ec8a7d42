#include "shortfall/learn/tabular_update.hpp"

#include <fmt/format.h>

#include "shortfall/error.hpp"

namespace shortfall::learn::detail {

void check_discount(double gamma) {
  if (!(gamma >= 0.0 && gamma <= 1.0)) {
    throw InvalidInput(fmt::format("gamma = {}; accepted: a number from 0 to 1", gamma));
  }
}

void throw_cost(double cost) {
  throw InvalidInput(fmt::format("the cost is {}; accepted: a finite number", cost));
}

void throw_no_state(StateIndex x, std::size_t states) {
  throw InvalidInput(fmt::format("there is no state {}; accepted: a number below {}", x, states));
}

}  // namespace shortfall::learn::detail
