#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "parallel/communicator.hpp"

namespace shortfall::app {

using detail::FailedElsewhere;

/// The processes that run a command together: `shortfall` itself, or the ranks of `shortfall-mpi`.
/// All of them read the arguments and compute; the first alone prints and writes files.
class Processes {
 public:
  /// This process alone, which documents do not mention.
  Processes() = default;
  /// Ranks that use this many threads each unless told otherwise.
  Processes(detail::Communicator& ranks, int threads)
      : ranks_(&ranks), is_first_(ranks.rank() == 0), threads_(threads), is_named_(true) {}

  detail::Communicator& communicator() const { return *ranks_; }
  int threads() const { return threads_; }  ///< 0: all cores
  bool is_first() const { return is_first_; }

  /// This process, for work that it does without the others; still the one to print, or not.
  Processes alone() const {
    Processes here = *this;
    here.ranks_ = &detail::one_process();
    return here;
  }

  /// Calls work() on every rank, or on the first alone, as detail::together() does.
  template <class Work>
  auto together(const Work& work) const {
    return detail::together(*ranks_, work);
  }
  void on_first(const std::function<void()>& work) const {
    together([&] {
      if (is_first()) work();
    });
  }

  /// True on all ranks if it is here on any.
  bool any(bool here) const { return ranks_->any(here); }
  /// On the first rank, which is to print the result: true, once all ranks have come this far.
  bool is_to_report() const;

  /// Adds `ranks`.
  void add_to(nlohmann::json& document) const;

 private:
  detail::Communicator* ranks_ = &detail::one_process();
  bool is_first_ = true;
  int threads_ = 0;
  bool is_named_ = false;
};

}  // namespace shortfall::app
