#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "parallel/communicator.hpp"

/// Ranks as threads of one process, to test what several processes compute together.
namespace shortfall::testing {

/// Thrown in all ranks if they do not call the same things in the same order with the same sizes,
/// and in those that wait for a rank that threw something else or has returned.
class RanksDisagree : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What the ranks share: the call that each of them is in, and where they wait for each other.
class ThreadRanks {
 public:
  explicit ThreadRanks(std::size_t size) : calls_(size) {}

  /// A collective call, with what it needs of the other ranks.
  struct Call {
    std::string what;                ///< the function and the sizes, the same on all ranks
    const void* argument = nullptr;  ///< that others read
    std::size_t size = 0;            ///< of the argument, if ranks may differ in it
  };

  std::size_t size() const { return calls_.size(); }
  const Call& call_of(std::size_t rank) const { return calls_[rank]; }

  /// Until end(), others may read the argument.
  void begin(std::size_t rank, Call call) {
    calls_[rank] = std::move(call);
    wait();
    for (const Call& other : calls_) {
      if (other.what == calls_[0].what) continue;
      throw RanksDisagree("one rank calls " + calls_[0].what + ", another " + other.what);
    }
  }
  void end() { wait(); }

  /// A rank that returns, or throws, meets no one any more.
  void leave() {
    const std::lock_guard lock(mutex_);
    has_left_ = true;
    arrival_.notify_all();
  }

 private:
  void wait() {
    std::unique_lock lock(mutex_);
    const std::size_t meeting = meeting_;
    if (++waiting_ == calls_.size()) {
      waiting_ = 0;
      ++meeting_;
      arrival_.notify_all();
      return;
    }
    arrival_.wait(lock, [&] { return meeting_ != meeting || has_left_; });
    if (meeting_ == meeting) throw RanksDisagree("a rank waits for one that has returned");
  }

  std::vector<Call> calls_;
  std::mutex mutex_;
  std::condition_variable arrival_;
  std::size_t waiting_ = 0;
  std::size_t meeting_ = 0;
  bool has_left_ = false;
};

/// Copies at finish(), when all ranks have started.
class ThreadExchange final : public detail::HaloExchange {
 public:
  ThreadExchange(ThreadRanks& ranks, std::size_t rank, detail::HaloPlan plan)
      : ranks_(ranks), rank_(rank), plan_(std::move(plan)) {}

  void start(std::span<const double> own, std::span<double> before,
             std::span<double> after) override {
    if (before.size() + after.size() != plan_.index.size()) {
      throw RanksDisagree("a halo of another size");
    }
    own_ = own;
    before_ = before;
    after_ = after;
  }
  void finish() override {
    ranks_.begin(rank_, {"finish()", own_.data(), own_.size()});
    bool in_range = true;
    for (std::size_t k = 0; k < plan_.index.size(); ++k) {
      const ThreadRanks::Call& owner = ranks_.call_of(plan_.owner[k]);
      in_range = in_range && plan_.index[k] < owner.size;
      double& value = k < before_.size() ? before_[k] : after_[k - before_.size()];
      if (in_range) value = static_cast<const double*>(owner.argument)[plan_.index[k]];
    }
    ranks_.end();
    if (!in_range) throw RanksDisagree("a halo of values that their owner does not have");
  }

 private:
  ThreadRanks& ranks_;
  std::size_t rank_;
  detail::HaloPlan plan_;
  std::span<const double> own_;
  std::span<double> before_;
  std::span<double> after_;
};

class ThreadCommunicator final : public detail::Communicator {
 public:
  ThreadCommunicator(ThreadRanks& ranks, std::size_t rank) : ranks_(ranks), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return ranks_.size(); }
  std::size_t ranks_on_machine() const override { return size(); }

  void max(std::span<double> numbers) override {
    // Checked at the end, when nobody reads the numbers any more.
    const bool is_nan = std::ranges::any_of(numbers, [](double x) { return x != x; });
    combine("max", numbers, [](double a, double b) { return std::max(a, b); });
    if (is_nan) throw std::logic_error("the maximum of NaN");
  }
  void sum(std::span<std::uint64_t> counts) override {
    combine("sum", counts, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  void gather_bytes(std::span<std::byte> whole, std::span<const std::size_t> begin) override {
    const std::string what = fmt::format("gather {}", fmt::join(begin, " "));
    ranks_.begin(rank_, {what, whole.data()});
    const bool fits = begin.size() == size() + 1 && begin.front() == 0 &&
                      std::ranges::is_sorted(begin) && begin.back() == whole.size();
    for (std::size_t r = 0; fits && r < size(); ++r) {
      if (r == rank_) continue;
      const auto* const theirs = static_cast<const std::byte*>(ranks_.call_of(r).argument);
      std::copy(theirs + begin[r], theirs + begin[r + 1], whole.data() + begin[r]);
    }
    ranks_.end();
    if (!fits) throw RanksDisagree(fmt::format("{}: not the parts of {}", what, whole.size()));
  }
  std::vector<std::vector<std::byte>> all_to_all(
      std::vector<std::vector<std::byte>> bytes) override {
    ranks_.begin(rank_, {fmt::format("all_to_all {}", bytes.size()), &bytes});
    std::vector<std::vector<std::byte>> received;
    for (std::size_t r = 0; bytes.size() == size() && r < size(); ++r) {
      received.push_back(
          static_cast<const decltype(bytes)*>(ranks_.call_of(r).argument)->at(rank_));
    }
    ranks_.end();
    if (bytes.size() != size()) throw RanksDisagree("all_to_all: not one message for each rank");
    return received;
  }
  std::unique_ptr<detail::HaloExchange> plan_exchange(const detail::HaloPlan& plan) override {
    const bool fits = plan.owner.size() == plan.index.size() &&
                      std::ranges::is_sorted(plan.owner) &&
                      (plan.owner.empty() || plan.owner.back() < size());
    ranks_.begin(rank_, {"plan_exchange"});
    ranks_.end();
    if (!fits) throw RanksDisagree("plan_exchange: owners that are not ranks in order");
    return std::make_unique<ThreadExchange>(ranks_, rank_, plan);
  }
  using Communicator::max;
  using Communicator::sum;

 private:
  template <class T, class Operation>
  void combine(const char* name, std::span<T> elements, const Operation& operation) {
    ranks_.begin(rank_,
                 {name + std::string(" ") + std::to_string(elements.size()), elements.data()});
    std::vector<T> result(elements.size());
    for (std::size_t r = 0; r < size(); ++r) {
      const auto* const theirs = static_cast<const T*>(ranks_.call_of(r).argument);
      for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] = r == 0 ? theirs[k] : operation(result[k], theirs[k]);
      }
    }
    ranks_.end();
    std::ranges::copy(result, elements.begin());
  }

  ThreadRanks& ranks_;
  std::size_t rank_;
};

/// Calls body(communicator) on `size` ranks and waits for all of them. Throws what a rank has
/// thrown; RanksDisagree only if there was nothing else.
inline void run_ranks(std::size_t size, const std::function<void(detail::Communicator&)>& body) {
  ThreadRanks ranks(size);
  std::mutex mutex;
  std::exception_ptr cause;
  std::exception_ptr disagreement;
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(ranks, rank);
      try {
        body(communicator);
      } catch (const RanksDisagree&) {
        const std::lock_guard lock(mutex);
        if (!disagreement) disagreement = std::current_exception();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!cause) cause = std::current_exception();
      }
      ranks.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (cause) std::rethrow_exception(cause);
  if (disagreement) std::rethrow_exception(disagreement);
}

}  // namespace shortfall::testing
