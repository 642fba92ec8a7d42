#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>

#include "dp/incomplete_lu.hpp"
#include "dp/packed_rows.hpp"

namespace shortfall::detail {

/// The smallest and the largest element of a residual.
struct Extremes {
  double low;
  double high;

  double width() const { return high - low; }

  static void merge(Extremes& a, const Extremes& b) {
    a = {std::min(a.low, b.low), std::max(a.high, b.high)};
  }
};

/// BiCGSTAB for (I - γ W) d = b (van der Vorst, SIAM Journal on Scientific and Statistical
/// Computing 13, 1992), preconditioned from the right. Vector operations are fused with the
/// products, and sums are formed as Partition::reduce says, so that results depend neither on the
/// number of threads nor on that of ranks.
class BiCgStab {
 public:
  explicit BiCgStab(const Tangent& tangent) : tangent_(tangent) {}

  /// From the residual of the current d; without a preconditioner if that is null.
  void start(const Eigen::VectorXd& residual, const IncompleteLu* preconditioner);

  /// One iteration, two products: changes d and its residual. False on a breakdown, where both are
  /// left as they are or with half a step.
  bool step(Eigen::VectorXd& d, Eigen::VectorXd& residual, Extremes& extremes);

 private:
  /// y = (I - γ W) M⁻¹ x, with M⁻¹ x in `prepared`; returns y·y and y·other.
  struct Products {
    double square = 0.0;
    double with_other = 0.0;
  };
  Products multiply(const Eigen::VectorXd& x, Eigen::VectorXd& prepared, Eigen::VectorXd& y,
                    const Eigen::VectorXd& other);

  const Tangent& tangent_;
  const IncompleteLu* preconditioner_ = nullptr;
  double rho_ = 1.0;
  Eigen::VectorXd shadow_;  // r̂
  Eigen::VectorXd p_, v_, t_;
  Eigen::VectorXd prepared_p_, prepared_s_;  // M⁻¹ p and M⁻¹ s; unused without a preconditioner
};

}  // namespace shortfall::detail
