#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "parallel/partition.hpp"
#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// One row of weights and successors per state, one after the other, with the weights in single or
/// in double precision.
class PackedRows {
 public:
  enum class Weights { wide, narrow };

  std::size_t states() const { return begin.size() - 1; }
  std::size_t entries() const { return begin.back(); }
  std::size_t length(std::size_t x) const { return begin[x + 1] - begin[x]; }
  bool is_narrow() const { return is_narrow_; }

  /// Makes room for the entries that `begin` announces.
  void allocate(Weights weights);

  class Row {
   public:
    std::span<const std::uint32_t> next;  ///< in increasing order, possibly repeated
    double weight(std::size_t j) const {
      return narrow_ ? static_cast<double>(narrow_[j]) : wide_[j];
    }

   private:
    friend PackedRows;
    Row(std::span<const std::uint32_t> next_states, const float* narrow, const double* wide)
        : next(next_states), narrow_(narrow), wide_(wide) {}
    const float* narrow_;
    const double* wide_;
  };
  Row row(std::size_t x) const {
    const std::size_t first = begin[x];
    return {std::span(next).subspan(first, begin[x + 1] - first),
            is_narrow_ ? narrow.data() + first : nullptr,
            is_narrow_ ? nullptr : wide.data() + first};
  }

  std::vector<std::size_t> begin{0};  ///< of each row, and the end of the last
  std::vector<std::uint32_t> next;
  std::vector<float> narrow;  ///< empty if weights are wide
  std::vector<double> wide;   ///< empty if they are narrow

 private:
  bool is_narrow_ = false;
};

/// Other states for each rank: begin[r] up to begin[r + 1] for rank r. Successors are then numbered
/// over all states.
PackedRows redistributed(const PackedRows& own, const Partition& partition,
                         std::span<const std::size_t> begin);

/// A chain as a selection of rows: state x has row rows[x] of `outcomes`, no_row if terminal.
struct ChosenRows {
  const Outcomes& outcomes;
  std::span<const std::size_t> rows;
};

/// The derivative of a policy's backup at V,
///
///   T(V + d) = TV + γ W d + o(d),    W = the policy's kernel tilted by the slopes of the loss.
///
/// Its rows are ≥ 0 and sum to one up to rounding; those of terminal states are empty. They are
/// packed, and unless they fit into cache anyway, weights are in single precision, 8 bytes per
/// outcome in all: steps that solve (I - γ W) d = TV - V need not be exact, since a sweep in double
/// precision follows. But rows must sum to one: an error δ in that changes d by δ / (1-γ) of
/// itself, and far more once constants are split off. What rounding takes from a row is therefore
/// kept, and given to its first successor.
class Tangent {
 public:
  Tangent(const AnyLoss& loss, double gamma, const Partition& partition)
      : loss_(loss), gamma_(gamma), partition_(partition) {}

  /// At the values V, whose backup under the chosen rows is TV.
  void assign(const ChosenRows& chosen, std::span<const double> values,
              std::span<const double> backed_up);

  /// The same if the loss is linear and W is the policy's kernel, whatever V is. Its rows are not
  /// packed before pack() is called: a few products take less time than that. Until then the
  /// chosen rows must exist, and rows() must not be called.
  void refer_to(const ChosenRows& chosen);
  void pack();

  double gamma() const { return gamma_; }
  /// The same, or a little less than 1 where I - W itself has no inverse to approximate.
  double preconditioner_gamma() const { return gamma_ < 1.0 ? gamma_ : 1.0 - 1e-6; }
  const Partition& partition() const { return partition_; }
  std::size_t states() const { return rows_.states(); }  ///< of this rank
  std::uint64_t entries() const { return entries_; }     ///< of all ranks
  bool has_single_successors() const { return longest_ <= 1; }

  /// What products read of a vector x, until the next call.
  struct Factor {
    const double* read;  ///< as from Partition::read()
    double first;        ///< its element of the first state of all, if γ = 1; otherwise 0
  };
  Factor factor(const double* own) const;

  /// y = W x in the states [first, last). If γ = 1, where I - W is singular, y = W x - x₀ 1 with x₀
  /// of the first state of all: then (I - W + 1 e₀ᵀ) d = r has one solution wherever the average
  /// does not depend on the start, and its (I - W) d differs from r by a constant.
  void multiply(std::size_t first, std::size_t last, const Factor& x, double* y) const;

  /// The number of states in a task of a parallel loop.
  std::size_t states_per_task() const;

  /// Once they are packed.
  const PackedRows& rows() const { return rows_; }

 private:
  void set_lengths(const ChosenRows& chosen);
  void pack(const ChosenRows& chosen, const double* read, const double* risks);

  AnyLoss loss_;
  double gamma_;
  const Partition& partition_;
  std::optional<ChosenRows> not_packed_;
  std::uint64_t entries_ = 0;
  std::size_t longest_ = 0;  ///< row of all ranks
  static constexpr std::size_t most_wide = 65536;
  PackedRows rows_;          ///< only where each begins, until they are packed
  std::vector<float> lost_;  ///< one less the sum of a row's narrow weights
};

}  // namespace shortfall::detail
