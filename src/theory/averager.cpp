#include "shortfall/theory/averager.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "errors/require.hpp"
#include "numbers/roundoff.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd averager_rows(const Chain& chain, MatrixXd phi) {
  require(static_cast<std::size_t>(phi.rows()) == chain.states(),
          "the features have {} rows; accepted: one for each of {} states", phi.rows(),
          chain.states());
  require(phi.cols() > 0, "there are no features; accepted: one or more");
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (chain.is_terminal(x)) phi.row(static_cast<Index>(x)).setZero();
  }
  const auto violation = averager_violation(phi);
  require(!violation, "state {}: {}", violation ? violation->state : 0,
          violation ? violation->message() : "");
  return phi;
}

void check_sampling_law(const Chain& chain, std::span<const double> q) {
  require(q.size() == chain.states(), "q has {} entries; accepted: one for each of {} states",
          q.size(), chain.states());
  double sum = 0.0;
  double updated = 0.0;
  for (std::size_t x = 0; x < q.size(); ++x) {
    require(q[x] >= 0.0 && std::isfinite(q[x]), "q of state {} is {}; accepted: a number >= 0", x,
            q[x]);
    sum += q[x];
    if (!chain.is_terminal(x)) updated += q[x];
  }
  require(std::abs(sum - 1.0) <= probability_tolerance, "q sums to {}; accepted: 1 within {}", sum,
          probability_tolerance);
  require(updated > 0.0,
          "q is 0 in all states that are not terminal; accepted: a law of states "
          "in which updates are made");
}

std::vector<StateIndex> reached_states(const Chain& chain, std::span<const double> q) {
  std::vector<char> is_reached(chain.states(), 0);
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (q[x] == 0.0 || chain.is_terminal(x)) continue;
    is_reached[x] = 1;
    const Outcomes::Row row = chain.law(x);
    for (std::size_t o = 0; o < row.next.size(); ++o) {
      if (row.probability[o] > 0.0 && !chain.is_terminal(row.next[o])) is_reached[row.next[o]] = 1;
    }
  }
  std::vector<StateIndex> states;
  for (std::size_t x = 0; x < chain.states(); ++x) {
    if (is_reached[x]) states.push_back(static_cast<StateIndex>(x));
  }
  return states;
}

}  // namespace

std::string AveragerViolation::accepted() const {
  if (feature) return "a number >= 0";
  if (!largest_sum) return "at most 1";
  return fmt::format("at most 1 (divide all features by {:.17g}, the largest sum)", *largest_sum);
}

std::string AveragerViolation::message() const {
  return feature ? fmt::format("x{} = {}; accepted: {}", *feature + 1, value, accepted())
                 : fmt::format("the features sum to {:.17g}; accepted: {}", value, accepted());
}

std::optional<AveragerViolation> averager_violation(const Eigen::Ref<const MatrixXd>& phi) {
  for (Index x = 0; x < phi.rows(); ++x) {
    for (Index i = 0; i < phi.cols(); ++i) {
      if (!(phi(x, i) >= 0.0 && std::isfinite(phi(x, i)))) {
        return AveragerViolation{x, i, phi(x, i)};
      }
    }
    const double sum = phi.row(x).sum();
    if (sum <= 1.0 + averager_sum_tolerance) continue;
    AveragerViolation found{x, std::nullopt, sum};
    const bool can_be_scaled = phi.allFinite() && phi.minCoeff() >= 0.0;
    if (can_be_scaled) found.largest_sum = phi.rowwise().sum().maxCoeff();
    return found;
  }
  return std::nullopt;
}

bool is_hard_aggregation(const Chain& chain, const Eigen::Ref<const MatrixXd>& phi) {
  for (Index x = 0; x < phi.rows(); ++x) {
    if (chain.is_terminal(static_cast<std::size_t>(x))) continue;
    const auto row = phi.row(x).array();
    if ((row == 1.0).count() != 1 || (row == 0.0).count() != phi.cols() - 1) return false;
  }
  return true;
}

AveragerOperator::AveragerOperator(const Chain& chain, AnyLoss loss, double gamma, MatrixXd phi,
                                   std::span<const double> q)
    : chain_(&chain),
      loss_(std::move(loss)),
      gamma_(gamma),
      phi_(averager_rows(chain, std::move(phi))),
      q_(q.begin(), q.end()),
      visits_(VectorXd::Zero(phi_.cols())) {
  require(gamma >= 0.0 && gamma < 1.0, "gamma = {}; accepted: a number in [0, 1)", gamma);
  check_sampling_law(chain, q);
  reached_ = reached_states(chain, q);
  double largest_sum = 0.0;
  for (const StateIndex x : reached_) {
    largest_sum = std::max(largest_sum, phi_.row(x).sum());
    active_ = std::max(active_, static_cast<double>((phi_.row(x).array() > 0.0).count()));
  }
  modulus_ = detail::rounded_up(gamma * largest_sum, active_ + 2.0);
  require(modulus_ < 1.0,
          "gamma = {} with features that sum to {:.17g}; accepted: a product "
          "below 1",
          gamma, largest_sum);
  for (Index i = 0; i < phi_.cols(); ++i) add_cell(i);
}

void AveragerOperator::add_cell(Index i) {
  // Products of three doubles stay in the range of long double; rounding follows normalisation.
  using Extended = long double;
  constexpr double unit = detail::unit_roundoff;
  constexpr auto extended_epsilon = static_cast<double>(std::numeric_limits<Extended>::epsilon());
  const std::size_t begin = transitions_.size();
  std::vector<Extended> weights;
  Extended total = 0;
  for (std::size_t x = 0; x < chain_->states(); ++x) {
    const Extended share = Extended(q_[x]) * phi_(static_cast<Index>(x), i);
    if (share == 0 || chain_->is_terminal(x)) continue;
    visits_[i] += static_cast<double>(share);
    const Outcomes::Row row = chain_->law(x);
    for (std::size_t o = 0; o < row.next.size(); ++o) {
      if (row.probability[o] == 0.0) continue;
      weights.push_back(share * row.probability[o]);
      total += weights.back();
      transitions_.push_back({row.next[o], row.cost[o], 0.0});
    }
  }
  if (!weights.empty() && visits_[i] == 0.0) visits_[i] = std::numeric_limits<double>::denorm_min();
  double least = 1.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto weight = static_cast<double>(weights[k] / total);
    transitions_[begin + k].weight = weight;
    weights_.push_back(weight);
    // A weight that underflows to zero is lost mass, as one of denormal size would be.
    least = std::min(least, std::max(weight, std::numeric_limits<double>::denorm_min()));
  }
  cell_begin_.push_back(transitions_.size());
  const auto terms = static_cast<double>(weights.size());
  const double weight_error =
      chain_->outcomes().probability_error + unit + (terms + 3.0) * extended_epsilon;
  rounding_.emplace_back(loss_, LawLimits{terms, weight_error, least});
}

std::span<const AveragerOperator::Transition> AveragerOperator::cell(Index i) const {
  const auto k = static_cast<std::size_t>(i);
  return std::span(transitions_).subspan(cell_begin_[k], cell_begin_[k + 1] - cell_begin_[k]);
}

void AveragerOperator::write_targets(Index i, const VectorXd& values,
                                     std::vector<double>& targets) const {
  targets.clear();
  for (const Transition& t : cell(i)) targets.push_back(t.cost + gamma_ * values[t.next]);
}

AveragerOperator::Image AveragerOperator::apply(const Eigen::Ref<const VectorXd>& theta) const {
  require(theta.size() == dimension(), "{} weights; accepted: one for each of {} features",
          theta.size(), dimension());
  const VectorXd values = phi_ * theta;
  Image image{theta, 0.0};
  std::vector<double> targets;
  for (Index i = 0; i < dimension(); ++i) {
    write_targets(i, values, targets);
    if (targets.empty()) continue;
    const std::span<const double> weights =
        std::span(weights_).subspan(cell_begin_[static_cast<std::size_t>(i)], targets.size());
    image.value[i] = shortfall_risk(loss_, {targets, weights}, theta[i]);
    const auto [low, high] = std::ranges::minmax(targets);
    const double rounding = rounding_[static_cast<std::size_t>(i)].bound(
        std::max(std::abs(low), std::abs(high)), high - low);
    image.rounding = std::max(image.rounding, std::isnan(rounding) ? infinity : rounding);
  }
  // A value φᵀθ of k terms is off by k roundings; a target, so that much times γ, and the risk
  // passes it on unchanged.
  const double of_values =
      1.01 * (active_ + 1.0) * detail::unit_roundoff * theta.cwiseAbs().maxCoeff();
  image.rounding =
      detail::rounded_up(image.rounding + of_values + chain_->outcomes().cost_error +
                             16.0 * active_ * std::numeric_limits<double>::denorm_min(),
                         8.0);
  return image;
}

VectorXd AveragerOperator::drift(const Eigen::Ref<const VectorXd>& theta) const {
  require(theta.size() == dimension(), "{} weights; accepted: one for each of {} features",
          theta.size(), dimension());
  const VectorXd values = phi_ * theta;
  VectorXd result = VectorXd::Zero(dimension());
  std::vector<double> targets;
  for (Index i = 0; i < dimension(); ++i) {
    write_targets(i, values, targets);
    if (targets.empty()) continue;
    const std::span<const double> weights =
        std::span(weights_).subspan(cell_begin_[static_cast<std::size_t>(i)], targets.size());
    result[i] = visits_[i] * expected_loss(loss_, {targets, weights}, theta[i]).value;
  }
  return result;
}

MatrixXd AveragerOperator::newton_matrix(const Eigen::Ref<const VectorXd>& theta,
                                         const Eigen::Ref<const VectorXd>& image) const {
  const VectorXd values = phi_ * theta;
  MatrixXd tilted = MatrixXd::Zero(dimension(), phi_.rows());  // mass of successors, by cell
  std::vector<double> targets;
  for (Index i = 0; i < dimension(); ++i) {
    write_targets(i, values, targets);
    const std::span<const Transition> transitions = cell(i);
    double total = 0.0;
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const double mass = transitions[k].weight * loss_.at(targets[k] - image[i]).left_slope;
      tilted(i, transitions[k].next) += mass;
      total += mass;
    }
    if (total > 0.0 && std::isfinite(total)) {
      tilted.row(i) /= total;
    } else {
      // Slopes out of range: any law of successors still gives an M-matrix.
      tilted.row(i).setZero();
      for (const Transition& t : transitions) tilted(i, t.next) += t.weight;
    }
  }
  return MatrixXd::Identity(dimension(), dimension()) - gamma_ * (tilted * phi_);
}

}  // namespace shortfall::theory
