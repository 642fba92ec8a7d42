#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <vector>

#include "real.hpp"

namespace oracle {

/// An outcome of probability proportional to `weight`: E ℓ = 0 does not depend on the sum.
template <class Number>
struct Outcome {
  Number weight;
  Number cost;
  std::size_t next = 0;
};

/// The laws of a state, one for each action; none if it is terminal.
using RationalLaw = std::vector<Outcome<mpq_class>>;
using RationalLaws = std::vector<std::vector<RationalLaw>>;

/// A law enclosed by directed rounding: `high` holds the outcomes rounded up, `low` those rounded
/// down; `high` is empty if both are equal.
struct RealLaw {
  std::vector<Outcome<Real>> low;
  std::vector<Outcome<Real>> high;
};
using RealLaws = std::vector<std::vector<RealLaw>>;

/// At the current precision.
RealLaws rounded(const RationalLaws& laws);

/// A model as in its file.
struct ModelRow {
  std::size_t from = 0;
  std::size_t action = 0;
  std::size_t to = 0;
  double probability = 0.0;
  double cost = 0.0;
};

struct ModelTable {
  std::size_t states = 0;
  std::vector<ModelRow> rows;

  /// The actions of a state, in increasing order.
  std::vector<std::size_t> actions(std::size_t state) const;
  RationalLaw law(std::size_t state, std::size_t action) const;
};

/// The laws of all actions.
RationalLaws laws_of(const ModelTable& table);

enum class InducedCost { averaged, mixture };

/// The weight that a policy gives to an action of a state.
struct Choice {
  std::size_t state = 0;
  std::size_t action = 0;
  double weight = 1.0;
};

/// The single law of each state under a policy. `averaged`: each outcome keeps its deviation from
/// the mean cost of its action, and these means are replaced by their mean under the policy.
RationalLaws laws_under(const ModelTable& table, const std::vector<Choice>& policy,
                        InducedCost induced_cost);

}  // namespace oracle
