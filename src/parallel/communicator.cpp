#include "parallel/communicator.hpp"

#include <cstddef>
#include <vector>

namespace shortfall::detail {

namespace {

class NoExchange final : public HaloExchange {
 public:
  void start(std::span<const double>, std::span<double>, std::span<double>) override {}
  void finish() override {}
};

class OneProcess final : public Communicator {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  std::size_t ranks_on_machine() const override { return 1; }
  void max(std::span<double>) override {}
  void sum(std::span<std::uint64_t>) override {}
  void gather_bytes(std::span<std::byte>, std::span<const std::size_t>) override {}
  std::vector<std::vector<std::byte>> all_to_all(
      std::vector<std::vector<std::byte>> bytes) override {
    return bytes;
  }
  std::unique_ptr<HaloExchange> plan_exchange(const HaloPlan&) override {
    return std::make_unique<NoExchange>();
  }
};

}  // namespace

HaloPlan HaloPlan::of(std::span<const std::size_t> begin, std::span<const std::uint32_t> states) {
  HaloPlan plan;
  plan.owner.reserve(states.size());
  plan.index.reserve(states.size());
  std::uint32_t rank = 0;
  for (const std::uint32_t state : states) {
    while (state >= begin[rank + 1]) ++rank;
    plan.owner.push_back(rank);
    plan.index.push_back(static_cast<std::uint32_t>(state - begin[rank]));
  }
  return plan;
}

Communicator& one_process() {
  static OneProcess process;
  return process;
}

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
