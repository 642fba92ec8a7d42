#include "mdp/library/parameters.hpp"

#include <limits>

#include "errors/require.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::library {

void check_probability(const char* what, double value) {
  require(value >= 0.0 && value <= 1.0, "{} is {}; accepted: a number in [0, 1]", what, value);
}

void check_count(const char* what, std::size_t value, std::size_t least) {
  constexpr std::size_t most = std::numeric_limits<StateIndex>::max();
  require(value >= least && value <= most, "{} is {}; accepted: a number from {} to {}", what,
          value, least, most);
}

}  // namespace shortfall::library
