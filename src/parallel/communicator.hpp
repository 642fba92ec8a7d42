#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shortfall/parallel/execution.hpp"

/// Processes that compute one result together, and what they tell each other. All of them ("ranks")
/// call the same functions in the same order with arguments of the same sizes. Only operations are
/// offered whose result does not depend on the number of ranks: minima, maxima, sums of integers,
/// and copies. Sums of floating-point numbers are formed from copies in a fixed order: see
/// Partition::reduce.
namespace shortfall::detail {

/// For each rank, the values of other ranks that it reads, fetched again and again.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;

  /// Begins to send this rank's values and to receive those of ranks before and after this one; all
  /// must stay until finish().
  virtual void start(std::span<const double> own, std::span<double> before,
                     std::span<double> after) = 0;
  virtual void finish() = 0;
};

/// What a rank reads: element k of its halo is element index[k] of the values of rank owner[k]. In
/// increasing order of owner.
struct HaloPlan {
  std::vector<std::uint32_t> owner;
  std::vector<std::uint32_t> index;

  /// To read these states, in increasing order, of which rank r has begin[r] up to begin[r + 1].
  static HaloPlan of(std::span<const std::size_t> begin, std::span<const std::uint32_t> states);
};

class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  /// How many ranks, this one included, share the memory of its machine.
  virtual std::size_t ranks_on_machine() const = 0;

  /// Each element becomes the largest one over all ranks. None may be NaN.
  virtual void max(std::span<double> numbers) = 0;
  /// Each element becomes the sum over all ranks.
  virtual void sum(std::span<std::uint64_t> counts) = 0;
  /// Rank r has the bytes begin[r] up to begin[r + 1] of the whole; afterwards all ranks have all.
  virtual void gather_bytes(std::span<std::byte> whole, std::span<const std::size_t> begin) = 0;
  /// Sends bytes[r] to rank r, and returns what each rank has sent to this one.
  virtual std::vector<std::vector<std::byte>> all_to_all(
      std::vector<std::vector<std::byte>> bytes) = 0;

  virtual std::unique_ptr<HaloExchange> plan_exchange(const HaloPlan& plan) = 0;

  /// The same for elements of any plain type.
  template <class T>
  void gather(std::span<T> whole, std::span<const std::size_t> begin) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size() == 1) return;
    std::vector<std::size_t> bytes(begin.begin(), begin.end());
    for (std::size_t& b : bytes) b *= sizeof(T);
    gather_bytes(std::as_writable_bytes(whole), bytes);
  }

  /// What all ranks have, in order of rank, on the first of them; nothing on the others.
  template <class T>
  std::vector<T> gather_on_first(std::span<const T> own) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size() == 1) return {own.begin(), own.end()};
    std::vector<std::vector<std::byte>> sent(size());
    const auto bytes = std::as_bytes(own);
    sent[0].assign(bytes.begin(), bytes.end());
    std::vector<T> all;
    for (std::vector<std::byte>& part : all_to_all(std::move(sent))) {
      const std::size_t before = all.size();
      all.resize(before + part.size() / sizeof(T));
      std::ranges::copy(part, std::as_writable_bytes(std::span(all).subspan(before)).begin());
      std::vector<std::byte>().swap(part);
    }
    return all;
  }

  /// What each rank has, by rank.
  template <class T>
  std::vector<T> gather_one(const T& here) {
    std::vector<T> all(size());
    std::vector<std::size_t> begin(size() + 1);
    std::iota(begin.begin(), begin.end(), std::size_t{0});
    all[rank()] = here;
    gather(std::span(all), begin);
    return all;
  }

  bool any(bool here) {
    double flag = here ? 1.0 : 0.0;
    max({&flag, 1});
    return flag > 0.0;
  }
  bool all(bool here) { return !any(!here); }
  double max(double number) {
    max({&number, 1});
    return number;
  }
  double min(double number) { return -max(-number); }
  std::uint64_t sum(std::uint64_t count) {
    sum({&count, 1});
    return count;
  }
};

/// The communicator of a computation in one process.
Communicator& one_process();

inline Communicator& ranks_of(const Execution& execution) {
  return execution.processes ? *execution.processes : one_process();
}

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
