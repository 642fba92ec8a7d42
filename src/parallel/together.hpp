#pragma once

#include <optional>
#include <string>
#include <type_traits>

#include "parallel/communicator.hpp"
#include "shortfall/error.hpp"

namespace shortfall::detail {

/// The text of the lowest rank that has one, on every rank.
std::optional<std::string> first_text(Communicator& communicator,
                                      const std::optional<std::string>& text);

/// The result of a work that ranks do side by side, without talking to each other. If input is
/// rejected on some of them, InvalidInput is thrown on all, with the message of the lowest.
template <class Work>
auto together(Communicator& communicator, const Work& work) {
  constexpr bool is_void = std::is_void_v<std::invoke_result_t<Work>>;
  std::optional<std::conditional_t<is_void, bool, std::invoke_result_t<Work>>> result;
  std::optional<std::string> problem;
  try {
    if constexpr (is_void) {
      work();
    } else {
      result.emplace(work());
    }
  } catch (const InvalidInput& error) {
    problem = error.what();
  }
  if (communicator.any(problem.has_value())) {
    throw InvalidInput(*first_text(communicator, problem));
  }
  if constexpr (!is_void) return std::move(*result);
}

}  // namespace shortfall::detail
