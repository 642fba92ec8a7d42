#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "parallel/communicator.hpp"

namespace shortfall::detail {

/// Another rank has failed, and says why.
struct FailedElsewhere : std::exception {
  const char* what() const noexcept override { return "another rank failed"; }
};

/// Calls work() on every rank, side by side: it must not communicate. If it throws anywhere, all
/// ranks throw: those without an exception of their own throw FailedElsewhere.
void run_together(Communicator& ranks, const std::function<void()>& work);

template <class Work>
auto together(Communicator& ranks, const Work& work) {
  if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
    run_together(ranks, work);
  } else {
    std::optional<std::invoke_result_t<Work>> result;
    run_together(ranks, [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

/// The text of the lowest rank that has one, on every rank.
std::optional<std::string> first_text(Communicator& communicator,
                                      const std::optional<std::string>& text);

}  // namespace shortfall::detail
