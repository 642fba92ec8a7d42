#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "shortfall/features/normalisation.hpp"
#include "shortfall/features/random_fourier.hpp"
#include "shortfall/features/random_relu.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/train/evaluation_method.hpp"
#include "shortfall/inventory/train/feature_set.hpp"

namespace shortfall::inventory {

/// A non-owning view of a state of the model.
struct StockView {
  std::size_t day;
  std::span<const std::uint8_t> stock;  ///< x_1, .., x_{m-1}
};

class StockHats;

/// Features of a stock as in Wang and Delage, section 6.2.2: 1; V̂(x_1 + .. + x_{m-1}), the value
/// if nothing perished, under the same risk; x_i; x_i x_j for i ≤ j. That makes 7, 16 and 37 for
/// m = 3, 5 and 8. With seven days, V̂ is that of the day, and each day has its own constant in
/// place of the 1: six more.
///
/// Random sets have D random features in place of the products x_i x_j: hinges (RandomRelu) or
/// waves (RandomFourier, of length √(m-1)) of x̃_i = (x_i - C/m) / (C/m). For a stock that is
/// uniform on x ≥ 0, x_1 + .. + x_{m-1} ≤ C, the mean of x_i is C/m, and its standard deviation the
/// same times √((m-1)/(m+1)). At m = 8, D = 28 makes 37 features, too.
///
/// The set `hats` is that of StockHats instead.
class StockFeatures {
 public:
  /// Throws InvalidInput for random features if the shelf life is 1: a stock then has no numbers.
  StockFeatures(const Model& model, NonPerishable non_perishable, const FeatureSet& set = {});

  std::size_t dimension() const;
  void write(const StockView& x, std::span<double> out) const;

  /// "1" or "Mon", .., then "V", "x1", .., then "x1 x1", "x1 x2", .., or "relu1", .., or "cos1",
  /// ..; hats have none.
  std::vector<std::string> names() const;
  /// Weights of V = V̂, the starting point of learning.
  std::vector<double> initial_guess() const;
  /// `standard` or `largest`, over all days and stocks, each counted once. The constants of days
  /// stay as they are. Random features take a pass over all stocks. Throws InvalidInput for hats,
  /// which averagers need as they are.
  features::Normalisation normalisation(StockNormalisation kind) const;

 private:
  std::size_t days_;
  std::size_t ages_;  // m - 1
  std::vector<std::vector<double>> value_;
  struct Products {};
  std::variant<Products, features::RandomRelu, features::RandomFourier> rest_;
  std::shared_ptr<const StockHats> hats_;  // null: the others
};

}  // namespace shortfall::inventory
