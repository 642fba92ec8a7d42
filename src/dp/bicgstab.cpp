#include "dp/bicgstab.hpp"

#include <algorithm>
#include <cmath>

#include "parallel/threads.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::detail {
namespace {

using Eigen::VectorXd;

template <class Vector>
auto part(Vector& v, std::size_t first, std::size_t last) {
  return v.segment(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(last - first));
}

/// Sums and extremes of one pass over the states.
struct PassResult {
  double square = 0.0;
  double product = 0.0;
  Extremes extremes{infinity, -infinity};

  static void merge(PassResult& a, const PassResult& b) {
    a.square += b.square;
    a.product += b.product;
    Extremes::merge(a.extremes, b.extremes);
  }
};

template <class Body>
PassResult reduce(const Tangent& tangent, const Body& body) {
  return tangent.partition().reduce(tangent.states_per_task(), PassResult(), body,
                                    PassResult::merge);
}

template <class Body>
void for_each_part(const Tangent& tangent, const Body& body) {
  parallel_for_blocks(tangent.states(), tangent.states_per_task(), body);
}

bool is_usable(double x) {
  return std::isfinite(x) && x != 0.0;
}

}  // namespace

void BiCgStab::start(const VectorXd& residual, const IncompleteLu* preconditioner) {
  preconditioner_ = preconditioner;
  shadow_ = residual;
  p_ = residual;
  rho_ = reduce(tangent_, [&](std::size_t first, std::size_t last) {
           return PassResult{.square = part(residual, first, last).squaredNorm()};
         }).square;
  for (VectorXd* v : {&v_, &t_}) v->resize(residual.size());
  if (preconditioner) {
    for (VectorXd* v : {&prepared_p_, &prepared_s_}) v->resize(residual.size());
  }
}

BiCgStab::Products BiCgStab::multiply(const VectorXd& x, VectorXd& prepared, VectorXd& y,
                                      const VectorXd& other) {
  if (preconditioner_)
    preconditioner_->solve({x.data(), tangent_.states()}, {prepared.data(), tangent_.states()});
  const VectorXd& factor = preconditioner_ ? prepared : x;
  const Tangent::Factor read = tangent_.factor(factor.data());
  const PassResult sums = reduce(tangent_, [&](std::size_t first, std::size_t last) {
    tangent_.multiply(first, last, read, y.data());
    auto result = part(y, first, last);
    result = part(factor, first, last) - tangent_.gamma() * result;
    return PassResult{.square = result.squaredNorm(),
                      .product = result.dot(part(other, first, last)),
                      .extremes = {0.0, 0.0}};
  });
  return {sums.square, sums.product};
}

bool BiCgStab::step(VectorXd& d, VectorXd& residual, Extremes& extremes) {
  const double alpha = rho_ / multiply(p_, prepared_p_, v_, shadow_).with_other;
  if (!is_usable(alpha)) return false;
  VectorXd& s = residual;
  for_each_part(tangent_, [&](std::size_t first, std::size_t last) {
    part(s, first, last) -= alpha * part(v_, first, last);
  });
  const Products of_t = multiply(s, prepared_s_, t_, s);
  const double omega = of_t.square > 0.0 ? of_t.with_other / of_t.square : 0.0;
  if (!std::isfinite(omega)) return false;

  const VectorXd& direction = preconditioner_ ? prepared_p_ : p_;
  const PassResult sums = reduce(tangent_, [&](std::size_t first, std::size_t last) {
    auto r = part(s, first, last);
    part(d, first, last) += alpha * part(direction, first, last) +
                            omega * (preconditioner_ ? part(prepared_s_, first, last) : r);
    r -= omega * part(t_, first, last);
    return PassResult{.square = 0.0,
                      .product = r.dot(part(shadow_, first, last)),
                      .extremes = {r.minCoeff(), r.maxCoeff()}};
  });
  extremes = sums.extremes;
  const double beta = sums.product / rho_ * (alpha / omega);
  rho_ = sums.product;
  if (!is_usable(beta) || !std::isfinite(extremes.width())) return false;
  for_each_part(tangent_, [&](std::size_t first, std::size_t last) {
    auto p = part(p_, first, last);
    p = part(s, first, last) + beta * (p - omega * part(v_, first, last));
  });
  return true;
}

}  // namespace shortfall::detail
