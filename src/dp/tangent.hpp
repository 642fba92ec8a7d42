#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

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
/// precision follows.
class Tangent {
 public:
  Tangent(const AnyLoss& loss, double gamma) : loss_(loss), gamma_(gamma) {}

  /// At the values V, whose backup under the chosen rows is TV.
  void assign(const ChosenRows& chosen, std::span<const double> values,
              std::span<const double> backed_up);

  /// The same if the loss is linear and W is the policy's kernel, whatever V is. Its rows are not
  /// packed before pack() is called: a few products take less time than that. Until then the
  /// chosen rows must exist, and row() must not be called.
  void refer_to(const ChosenRows& chosen);
  void pack();

  double gamma() const { return gamma_; }
  std::size_t states() const { return begin_.size() - 1; }
  std::size_t entries() const { return begin_.back(); }
  bool is_narrow() const { return entries() > most_wide; }
  bool has_single_successors() const { return longest_ <= 1; }

  /// y = W x in the states [first, last).
  void multiply(std::size_t first, std::size_t last, const double* x, double* y) const;

  /// So many states make a task of a parallel loop.
  std::size_t states_per_task() const;

  class Row {
   public:
    std::span<const std::uint32_t> next;  ///< in increasing order, possibly repeated
    double weight(std::size_t j) const {
      return narrow_ ? static_cast<double>(narrow_[j]) : wide_[j];
    }

   private:
    friend Tangent;
    Row(std::span<const std::uint32_t> next_states, const float* narrow, const double* wide)
        : next(next_states), narrow_(narrow), wide_(wide) {}
    const float* narrow_;
    const double* wide_;
  };
  Row row(std::size_t x) const;

 private:
  void set_lengths(const ChosenRows& chosen);
  void pack(const ChosenRows& chosen, const double* values, const double* risks);

  AnyLoss loss_;
  double gamma_;
  std::optional<ChosenRows> not_packed_;
  std::vector<std::size_t> begin_{0};
  std::size_t longest_ = 0;  ///< row
  static constexpr std::size_t most_wide = 65536;
  std::vector<float> narrow_;
  std::vector<double> wide_;
  std::vector<std::uint32_t> next_;
};

}  // namespace shortfall::detail
