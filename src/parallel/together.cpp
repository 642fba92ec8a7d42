#include "parallel/together.hpp"

#include <cstddef>
#include <vector>

namespace shortfall::detail {

std::optional<std::string> first_text(Communicator& communicator,
                                      const std::optional<std::string>& text) {
  using Bytes = std::vector<std::byte>;
  // A byte in front tells no text from an empty one.
  const std::string sent = text ? "+" + *text : "";
  const auto bytes = std::as_bytes(std::span(sent));
  const std::vector<Bytes> all = communicator.trade(
      std::vector<Bytes>(communicator.size(), Bytes(bytes.begin(), bytes.end())));
  for (const Bytes& of_rank : all) {
    if (of_rank.empty()) continue;
    return std::string(reinterpret_cast<const char*>(of_rank.data()) + 1, of_rank.size() - 1);
  }
  return std::nullopt;
}

}  // namespace shortfall::detail
