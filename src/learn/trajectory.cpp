#include "shortfall/learn/trajectory.hpp"

#include "shortfall/errors/error.hpp"

namespace shortfall::learn {

void detail::throw_terminal_start() {
  throw InvalidInput("the chain starts in a terminal state; accepted: a state that it can leave");
}

}  // namespace shortfall::learn
