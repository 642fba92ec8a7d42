#include "parallel/together.hpp"

#include <cstddef>
#include <vector>

namespace shortfall::detail {

void run_together(Communicator& ranks, const std::function<void()>& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool has_failed = ranks.any(failure != nullptr);
  if (failure) std::rethrow_exception(failure);
  if (has_failed) throw FailedElsewhere();
}

std::optional<std::string> first_text(Communicator& communicator,
                                      const std::optional<std::string>& text) {
  using Bytes = std::vector<std::byte>;
  // A byte in front distinguishes no text from an empty text.
  const std::string sent = text ? "+" + *text : "";
  const auto bytes = std::as_bytes(std::span(sent));
  const std::vector<Bytes> all = communicator.all_to_all(
      std::vector<Bytes>(communicator.size(), Bytes(bytes.begin(), bytes.end())));
  for (const Bytes& of_rank : all) {
    if (of_rank.empty()) continue;
    return std::string(reinterpret_cast<const char*>(of_rank.data()) + 1, of_rank.size() - 1);
  }
  return std::nullopt;
}

}  // namespace shortfall::detail
