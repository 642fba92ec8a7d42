#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shortfall/features/normalisation.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/evaluation_method.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::inventory {

/// A non-owning view of a state of the model.
struct StockView {
  std::size_t day;
  std::span<const std::uint8_t> stock;  ///< x_1, .., x_{m-1}
};

class StockHats;

/// Which functions of the stock values are made of.
enum class StockBasis {
  polynomials,  ///< those of the paper
  hats          ///< StockHats, for averagers
};
/// The features that a training with this algorithm uses.
constexpr StockBasis basis_of(learn::Algorithm algorithm) {
  return is_averager(algorithm) ? StockBasis::hats : StockBasis::polynomials;
}

/// Features of a stock as in Wang and Delage, section 6.2.2: 1; V̂(x_1 + .. + x_{m-1}), the value
/// if nothing perished, under the same risk; x_i; x_i x_j for i ≤ j. That makes 7, 16 and 37 for
/// m = 3, 5 and 8. With seven days, V̂ is that of the day, and each day has its own constant in
/// place of the 1: six more. With StockBasis::hats they are those of StockHats instead.
class StockFeatures {
 public:
  StockFeatures(const Model& model, NonPerishable non_perishable,
                StockBasis basis = StockBasis::polynomials);

  std::size_t dimension() const;
  void write(const StockView& x, std::span<double> out) const;

  /// "1" or "Mon", .., then "V", "x1", .., "x1 x1", "x1 x2", ..; hats have none.
  std::vector<std::string> names() const;
  /// Weights of V = V̂, the starting point of learning.
  std::vector<double> initial_guess() const;
  /// `standard` or `largest`, over all days and stocks, each counted once. The constants of days
  /// stay as they are.
  features::Normalisation normalisation(StockNormalisation kind) const;

 private:
  std::size_t days_;
  std::size_t ages_;  // m - 1
  std::vector<std::vector<double>> value_;
  std::shared_ptr<const StockHats> hats_;  // null: polynomials
};

}  // namespace shortfall::inventory
