#include "laws.hpp"

#include <algorithm>

namespace oracle {
namespace {

RealLaw rounded(const RationalLaw& law) {
  RealLaw result;
  bool exact = true;
  for (const auto& [weight, cost, next] : law) {
    result.low.push_back({Real(weight, MPFR_RNDD), Real(cost, MPFR_RNDD), next});
    const auto& low = result.low.back();
    exact = exact && mpfr_cmp_q(low.weight.get(), weight.get_mpq_t()) == 0 &&
            mpfr_cmp_q(low.cost.get(), cost.get_mpq_t()) == 0;
  }
  if (exact) return result;
  for (const auto& [weight, cost, next] : law) {
    result.high.push_back({Real(weight, MPFR_RNDU), Real(cost, MPFR_RNDU), next});
  }
  return result;
}

mpq_class total_weight(const RationalLaw& law) {
  mpq_class sum = 0;
  for (const auto& outcome : law) sum += outcome.weight;
  return sum;
}

mpq_class mean_cost(const RationalLaw& law) {
  mpq_class sum = 0;
  for (const auto& outcome : law) sum += outcome.weight * outcome.cost;
  return sum / total_weight(law);
}

}  // namespace

RealLaws rounded(const RationalLaws& laws) {
  RealLaws result;
  for (const auto& actions : laws) {
    result.emplace_back();
    for (const RationalLaw& law : actions) result.back().push_back(rounded(law));
  }
  return result;
}

std::vector<std::size_t> ModelTable::actions(std::size_t state) const {
  std::vector<std::size_t> found;
  for (const ModelRow& row : rows) {
    if (row.from == state) found.push_back(row.action);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

RationalLaw ModelTable::law(std::size_t state, std::size_t action) const {
  RationalLaw law;
  for (const ModelRow& row : rows) {
    if (row.from != state || row.action != action || row.probability == 0.0) continue;
    law.push_back({mpq_class(row.probability), mpq_class(row.cost), row.to});
  }
  return law;
}

RationalLaws laws_of(const ModelTable& table) {
  RationalLaws laws(table.states);
  for (std::size_t x = 0; x < table.states; ++x) {
    for (const std::size_t action : table.actions(x)) laws[x].push_back(table.law(x, action));
  }
  return laws;
}

RationalLaws laws_under(const ModelTable& table, const std::vector<Choice>& policy,
                        InducedCost induced_cost) {
  RationalLaws laws(table.states);
  for (std::size_t x = 0; x < table.states; ++x) {
    std::vector<std::pair<mpq_class, RationalLaw>> mixed;
    mpq_class sum = 0;
    mpq_class induced = 0;
    for (const Choice& choice : policy) {
      if (choice.state != x || choice.weight == 0.0) continue;
      mixed.emplace_back(choice.weight, table.law(x, choice.action));
      sum += choice.weight;
      induced += choice.weight * mean_cost(mixed.back().second);
    }
    if (mixed.empty()) continue;
    induced /= sum;
    RationalLaw law;
    for (const auto& [weight, part] : mixed) {
      const mpq_class scale = mixed.size() == 1 ? mpq_class(1) : weight / total_weight(part);
      const mpq_class shift = induced_cost == InducedCost::averaged && mixed.size() > 1
                                  ? mpq_class(induced - mean_cost(part))
                                  : mpq_class(0);
      for (const auto& outcome : part) {
        law.push_back({outcome.weight * scale, outcome.cost + shift, outcome.next});
      }
    }
    laws[x].push_back(std::move(law));
  }
  return laws;
}

}  // namespace oracle
