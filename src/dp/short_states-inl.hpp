// The backup of states whose rows are all short, several rows at a time: compiled once for each
// instruction set by the sources that include it between Highway's foreach_target.h and
// HWY_AFTER_NAMESPACE.
#if defined(SHORTFALL_DP_SHORT_STATES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SHORTFALL_DP_SHORT_STATES_INL_HPP
#undef SHORTFALL_DP_SHORT_STATES_INL_HPP
#else
#define SHORTFALL_DP_SHORT_STATES_INL_HPP
#endif

#include "dp/state_backup-inl.hpp"
#include "risk/batch_risk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace shortfall {
namespace HWY_NAMESPACE {

/// Short rows, one per lane: with few outcomes, most of the time of a row by itself would go into
/// what is done once per row.
template <class L>
class ShortRows {
 public:
  static constexpr std::size_t longest = LawBatch::longest;

  ShortRows(const L& loss, const SweepJob& job) : loss_(loss), job_(job) {}

  bool is_full() const { return count_ == hn::Lanes(Doubles()); }
  std::size_t count() const { return count_; }

  void add(std::size_t row, double start) {
    const std::size_t lanes = hn::Lanes(Doubles());
    const std::size_t begin = job_.row_begin[row];
    const std::size_t length = job_.row_begin[row + 1] - begin;
    const double row_cost = job_.expected_cost[row];
    const bool equal_costs = job_.costs_vary[row] == 0;
    for (std::size_t j = 0; j < length; ++j) {
      const double cost = equal_costs ? row_cost : job_.cost[begin + j];
      atoms_[j * lanes + count_] = cost + job_.gamma * job_.values[job_.next[begin + j]];
      probabilities_[j * lanes + count_] = job_.probability[begin + j];
    }
    row_[count_] = row;
    length_[count_] = length;
    start_[count_] = start;
    ++count_;
  }

  /// Calls use(row, risk) for each row, in order, and starts again.
  template <class Use>
  void finish(const Use& use) {
    const Doubles d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t most = 1;
    for (std::size_t lane = 0; lane < count_; ++lane) most = std::max(most, length_[lane]);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (lane >= count_) {  // a law that is 0
        atoms_[lane] = start_[lane] = 0.0;
        length_[lane] = 0;
      }
      for (std::size_t j = length_[lane]; j < most; ++j) {
        atoms_[j * lanes + lane] = atoms_[lane];
        probabilities_[j * lanes + lane] = 0.0;
      }
    }
    const LawBatch laws{atoms_, probabilities_, most};
    hn::StoreU(risks(loss_, d, laws, hn::LoadU(d, start_)), d, risk_);
    for (std::size_t lane = 0; lane < count_; ++lane) use(row_[lane], risk_[lane]);
    count_ = 0;
  }

 private:
  static constexpr std::size_t most_lanes = hn::MaxLanes(Doubles());
  const L& loss_;
  const SweepJob& job_;
  std::size_t count_ = 0;
  double atoms_[longest * most_lanes];
  double probabilities_[longest * most_lanes];
  double start_[most_lanes];
  double risk_[most_lanes];
  std::size_t row_[most_lanes];
  std::size_t length_[most_lanes];
};

/// Backs up states whose rows are all short, several rows at a time.
template <class L>
class ShortStates {
 public:
  ShortStates(const L& loss, const SweepJob& job, Recorder& recorder)
      : job_(job), recorder_(recorder), batch_(loss, job) {}

  bool accepts(RowRange rows) const {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      if (job_.row_begin[row + 1] - job_.row_begin[row] > ShortRows<L>::longest) return false;
    }
    return true;
  }

  void add(std::size_t x, RowRange rows) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      state_[batch_.count()] = x;
      batch_.add(row, job_.before[x]);
      if (batch_.is_full()) flush();
    }
  }

  void finish() {
    if (batch_.count() > 0) flush();
    if (current_ != none) recorder_.record(current_, best_);
    current_ = none;
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  void flush() {
    std::size_t lane = 0;
    batch_.finish([&](std::size_t row, double risk) {
      const std::size_t x = state_[lane++];
      if (x != current_) {
        if (current_ != none) recorder_.record(current_, best_);
        current_ = x;
        best_ = Backup();
      }
      if (!std::isnan(best_.value)) best_.offer(row, risk);
    });
  }

  const SweepJob& job_;
  Recorder& recorder_;
  ShortRows<L> batch_;
  std::size_t state_[hn::MaxLanes(Doubles())];
  std::size_t current_ = none;
  Backup best_;
};

}  // namespace HWY_NAMESPACE
}  // namespace shortfall
HWY_AFTER_NAMESPACE();

#endif  // SHORTFALL_DP_SHORT_STATES_INL_HPP
