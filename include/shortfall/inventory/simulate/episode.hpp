#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "shortfall/inventory/model/model.hpp"
#include "shortfall/mdp/random_streams.hpp"

/// One period after the other, with an order that the caller chooses each time: for learners and
/// controllers that are not a table of orders by state.
namespace shortfall::inventory {

/// What happened in one period.
struct EpisodePeriod {
  std::size_t state = 0;  ///< at its start; numbers of states are those of Model
  std::size_t next = 0;   ///< at the start of the next period
  std::size_t order = 0;
  std::size_t demand = 0;
  std::size_t left = 0;  ///< units left, including those that expire
  std::size_t lost = 0;  ///< units of demand that were not met
  std::size_t expired = 0;
  Costs cost = {};     ///< what was paid for each: cost.holding is the price per unit times `left`
  double total = 0.0;  ///< the cost c of the period, which is their sum up to rounding
};

struct EpisodeStart {
  std::size_t state = 0;  ///< the empty stock on day 0
  std::uint64_t seed = 1;
  std::uint64_t replication = 0;
};

/// A simulated history. Demand and shelf lives are those of simulate(): an episode that starts from
/// state 0 and follows given orders has the periods of the replication with the same number and
/// seed, bit for bit.
class Episode {
 public:
  /// Starts from the default. The model must outlive the episode.
  explicit Episode(const Model& model);
  Episode(Episode&&) noexcept;
  Episode& operator=(Episode&&) noexcept;
  ~Episode();

  /// Throws InvalidInput for a state that the model does not have.
  void start(const EpisodeStart& start);

  std::size_t state() const { return state_; }
  /// The source of randomness, as it is before the next period.
  const pcg64& bits() const { return bits_; }
  /// Continues another episode of the same model from its state() and bits(), bit for bit. Throws
  /// InvalidInput for a state that the model does not have.
  void resume(std::size_t state, const pcg64& bits) {
    start({.state = state});
    bits_ = bits;
  }
  /// The largest order that is possible now.
  std::size_t largest_order() const;

  /// Throws InvalidInput for an order above largest_order(); the episode is then as before.
  EpisodePeriod step(std::size_t order);

 private:
  class Dynamics;
  template <std::size_t Ages>
  class DynamicsOf;

  std::size_t day() const { return state_ / model_->stocks().size(); }
  std::size_t stock_total() const;

  const Model* model_;
  std::unique_ptr<const Dynamics> dynamics_;
  std::size_t state_ = 0;
  pcg64 bits_;
};

}  // namespace shortfall::inventory
