#include "exact_inventory.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace oracle {
namespace {

constexpr mpfr_prec_t guard_bits = 256;

/// Below this the mass beyond the maximum is summed; above it, 1 - Σ loses no more than
/// the guard bits.
constexpr mpfr_exp_t small_tail_exponent = -160;

/// P(D = 0) of a negative binomial: pⁿ with p = n / (n + mean), as exp(-n log(1 + mean / n)).
void set_first(Real& first, const Day& day) {
  if (day.distribution == "poisson") {
    mpfr_set_d(first.get(), -day.mean, MPFR_RNDN);
  } else {
    Real n(day.n);
    mpfr_set_d(first.get(), day.mean, MPFR_RNDN);
    mpfr_div(first.get(), first.get(), n.get(), MPFR_RNDN);
    mpfr_log1p(first.get(), first.get(), MPFR_RNDN);
    mpfr_mul(first.get(), first.get(), n.get(), MPFR_RNDN);
    mpfr_neg(first.get(), first.get(), MPFR_RNDN);
  }
  mpfr_exp(first.get(), first.get(), MPFR_RNDN);
}

/// Goes from P(D = k) to P(D = k + 1).
void advance(Real& probability, const Day& day, std::size_t k) {
  Real factor(day.mean);
  if (day.distribution != "poisson") {  // (n + k) mean / (n + mean)
    Real sum(day.n);
    mpfr_add_ui(sum.get(), sum.get(), k, MPFR_RNDN);
    mpfr_mul(factor.get(), factor.get(), sum.get(), MPFR_RNDN);
    mpfr_set_d(sum.get(), day.n, MPFR_RNDN);
    mpfr_add_d(sum.get(), sum.get(), day.mean, MPFR_RNDN);
    mpfr_div(factor.get(), factor.get(), sum.get(), MPFR_RNDN);
  }
  mpfr_mul(probability.get(), probability.get(), factor.get(), MPFR_RNDN);
  mpfr_div_ui(probability.get(), probability.get(), k + 1, MPFR_RNDN);
}

std::vector<Real> parametric_law(const Day& day) {
  std::vector<Real> law(day.max + 1);
  if (day.mean == 0.0) {
    mpfr_set_ui(law[0].get(), 1, MPFR_RNDN);
    return law;
  }
  Real probability;
  set_first(probability, day);
  Real below;
  for (std::size_t k = 0; k < day.max; ++k) {
    law[k] = probability;
    mpfr_add(below.get(), below.get(), probability.get(), MPFR_RNDN);
    advance(probability, day, k);
  }
  Real& tail = law[day.max];
  mpfr_ui_sub(tail.get(), 1, below.get(), MPFR_RNDN);
  if (mpfr_sgn(tail.get()) > 0 && mpfr_get_exp(tail.get()) > small_tail_exponent) return law;
  mpfr_set_zero(tail.get(), 1);
  for (std::size_t k = day.max;; ++k) {
    mpfr_add(tail.get(), tail.get(), probability.get(), MPFR_RNDN);
    if (mpfr_get_exp(probability.get()) < mpfr_get_exp(tail.get()) - mpfr_get_default_prec() - 32) {
      return law;
    }
    advance(probability, day, k);
  }
}

/// A step of the recursion over the units that arrive with 1, 2, .. periods left.
struct Delivery {
  std::vector<std::size_t> units;
  Real probability;
};

void add_deliveries(const std::vector<Real>& p, std::size_t left, const Delivery& begun,
                    std::vector<Delivery>& all) {
  const std::size_t i = begun.units.size();
  const bool last = i + 1 == p.size();
  Real probability = begun.probability;
  // Iterates over binomial(left, k) p_i^k for k = 0, 1, ..
  for (std::size_t k = 0; k <= left; ++k) {
    if (k > 0) {
      mpfr_mul(probability.get(), probability.get(), p[i].get(), MPFR_RNDN);
      mpfr_mul_ui(probability.get(), probability.get(), left - k + 1, MPFR_RNDN);
      mpfr_div_ui(probability.get(), probability.get(), k, MPFR_RNDN);
    }
    if (mpfr_zero_p(probability.get())) return;
    if (last && k < left) continue;
    Delivery delivery = begun;
    delivery.units.push_back(k);
    delivery.probability = probability;
    if (last) {
      all.push_back(std::move(delivery));
    } else {
      add_deliveries(p, left - k, delivery, all);
    }
  }
}

std::vector<Delivery> deliveries(const std::vector<Real>& p, std::size_t order) {
  std::vector<Delivery> all;
  Delivery none;
  mpfr_set_ui(none.probability.get(), 1, MPFR_RNDN);
  add_deliveries(p, order, none, all);
  return all;
}

/// What an outcome's cost and successor depend on, given the order.
struct End {
  std::vector<std::size_t> next;
  std::size_t left = 0;
  std::size_t lost = 0;
  std::size_t expired = 0;
  auto operator<=>(const End&) const = default;  // NOLINT(modernize-use-nullptr): not a pointer
};

End end_of(std::vector<std::size_t> stock, std::size_t demand) {
  End end;
  for (std::size_t& units : stock) {
    const std::size_t used = std::min(units, demand);
    units -= used;
    demand -= used;
    end.left += units;
  }
  end.lost = demand;
  end.expired = stock.front();
  end.next.assign(stock.begin() + 1, stock.end());
  return end;
}

Real cost_of(const Day& day, std::size_t order, const End& end) {
  Real cost(order > 0 ? day.order : 0.0);
  Real part;
  const auto add = [&](double unit_cost, std::size_t units) {
    mpfr_set_d(part.get(), unit_cost, MPFR_RNDN);
    mpfr_mul_ui(part.get(), part.get(), units, MPFR_RNDN);
    mpfr_add(cost.get(), cost.get(), part.get(), MPFR_RNDN);
  };
  add(day.unit, order);
  add(day.holding, end.left);
  add(day.shortage, end.lost);
  add(day.wastage, end.expired);
  return cost;
}

/// Writes the laws of one inventory, reusing their common parts.
class LawWriter {
 public:
  explicit LawWriter(const Inventory& inventory)
      : inventory_(inventory), bits_(mpfr_get_default_prec()), stocks_(inventory.stocks()) {
    for (std::size_t i = 0; i < stocks_.size(); ++i) place_[stocks_[i]] = i;
    const PrecisionScope scope(bits_ + guard_bits);
    for (const Day& day : inventory.days) {
      demand_.push_back(demand_law(day));
      delivered_.emplace_back();
      for (std::size_t z = 0; z <= inventory.largest_order(demand_.size() - 1, 0); ++z) {
        delivered_.back().push_back(deliveries(arrival_law(inventory, day, z), z));
      }
    }
  }

  std::size_t states() const { return inventory_.days.size() * stocks_.size(); }
  std::size_t largest_order(std::size_t state) const {
    const auto& x = stocks_[state % stocks_.size()];
    return inventory_.largest_order(state / stocks_.size(),
                                    std::accumulate(x.begin(), x.end(), std::size_t{0}));
  }

  RealLaw law(std::size_t state, std::size_t order) const {
    const std::size_t day = state / stocks_.size();
    const std::size_t next_day = (day + 1) % inventory_.days.size();
    std::map<End, Real> ends;
    {
      const PrecisionScope scope(bits_ + guard_bits);
      collect(day, stocks_[state % stocks_.size()], order, ends);
    }
    RealLaw law;
    for (const auto& [end, probability] : ends) {
      Real weight;
      mpfr_set(weight.get(), probability.get(), MPFR_RNDN);
      law.low.push_back({std::move(weight), cost_of(inventory_.days[day], order, end),
                         next_day * stocks_.size() + place_.at(end.next)});
    }
    return law;
  }

 private:
  void collect(std::size_t day, const std::vector<std::size_t>& x, std::size_t order,
               std::map<End, Real>& ends) const {
    const std::vector<Real>& demand = demand_[day];
    const std::size_t total = std::accumulate(x.begin(), x.end(), order);
    Real product;
    const auto add = [&](End end, const Real& probability) {
      if (mpfr_zero_p(probability.get())) return;
      const auto [found, is_new] = ends.try_emplace(std::move(end));
      mpfr_add(found->second.get(), found->second.get(), probability.get(), MPFR_RNDN);
    };
    for (const Delivery& delivery : delivered_[day][order]) {
      std::vector<std::size_t> stock = delivery.units;
      for (std::size_t i = 0; i < x.size(); ++i) stock[i] += x[i];
      for (std::size_t d = 0; d < std::min(total, demand.size()); ++d) {
        mpfr_mul(product.get(), delivery.probability.get(), demand[d].get(), MPFR_RNDN);
        add(end_of(stock, d), product);
      }
    }
    // If nothing is left, the ages of the delivery do not matter.
    std::vector<std::size_t> stock(inventory_.shelf_life);
    stock.back() = total;
    for (std::size_t d = total; d < demand.size(); ++d) add(end_of(stock, d), demand[d]);
  }

  const Inventory& inventory_;
  mpfr_prec_t bits_;
  std::vector<std::vector<std::size_t>> stocks_;
  std::map<std::vector<std::size_t>, std::size_t> place_;
  std::vector<std::vector<Real>> demand_;                      // by day
  std::vector<std::vector<std::vector<Delivery>>> delivered_;  // by day and order
};

void add_stocks(std::size_t ages, std::size_t left, std::vector<std::size_t>& x,
                std::vector<std::vector<std::size_t>>& all) {
  if (x.size() == ages) {
    all.push_back(x);
    return;
  }
  for (std::size_t units = 0; units <= left; ++units) {
    x.push_back(units);
    add_stocks(ages, left - units, x, all);
    x.pop_back();
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> Inventory::stocks() const {
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> x;
  add_stocks(shelf_life - 1, capacity, x, all);
  return all;
}

std::size_t Inventory::largest_order(std::size_t day, std::size_t total) const {
  return std::min(days[day].max_order, capacity - total);
}

double Inventory::outcomes() const {
  double count = 0.0;
  for (const auto& x : stocks()) {
    const std::size_t total = std::accumulate(x.begin(), x.end(), std::size_t{0});
    for (std::size_t day = 0; day < days.size(); ++day) {
      const auto demands = static_cast<double>(
          days[day].distribution == "empirical" ? days[day].probabilities.size() : days[day].max);
      for (std::size_t z = 0; z <= largest_order(day, total); ++z) {
        const bool fresh = c0.empty() && days[day].shares.empty();
        double ways = 1.0;  // binomial(z + m - 1, m - 1)
        for (std::size_t i = 1; i < shelf_life && !fresh; ++i) {
          ways *= static_cast<double>(z + i) / static_cast<double>(i);
        }
        count += ways * std::min(demands, static_cast<double>(total + z)) + demands;
      }
    }
  }
  return count;
}

std::vector<Real> demand_law(const Day& day) {
  if (day.distribution != "empirical") return parametric_law(day);
  std::vector<Real> law;
  Real sum;
  for (const double p : day.probabilities) {
    law.emplace_back(p);
    mpfr_add_d(sum.get(), sum.get(), p, MPFR_RNDN);
  }
  for (Real& p : law) mpfr_div(p.get(), p.get(), sum.get(), MPFR_RNDN);
  return law;
}

std::vector<Real> arrival_law(const Inventory& inventory, const Day& day, std::size_t order) {
  std::vector<Real> p(inventory.shelf_life);
  if (inventory.c0.empty() && day.shares.empty()) {
    mpfr_set_ui(p.back().get(), 1, MPFR_RNDN);
    return p;
  }
  Real sum;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (!day.shares.empty()) {
      mpfr_set_d(p[i].get(), day.shares[i], MPFR_RNDN);
    } else if (i == 0) {
      mpfr_set_ui(p[i].get(), 1, MPFR_RNDN);
    } else {
      mpfr_set_d(p[i].get(), inventory.c1[i - 1], MPFR_RNDN);
      mpfr_mul_ui(p[i].get(), p[i].get(), order, MPFR_RNDN);
      mpfr_add_d(p[i].get(), p[i].get(), inventory.c0[i - 1], MPFR_RNDN);
      mpfr_exp(p[i].get(), p[i].get(), MPFR_RNDN);
    }
    mpfr_add(sum.get(), sum.get(), p[i].get(), MPFR_RNDN);
  }
  for (Real& share : p) mpfr_div(share.get(), share.get(), sum.get(), MPFR_RNDN);
  return p;
}

RealLaws laws_of(const Inventory& inventory) {
  const LawWriter writer(inventory);
  RealLaws laws(writer.states());
  for (std::size_t x = 0; x < laws.size(); ++x) {
    for (std::size_t z = 0; z <= writer.largest_order(x); ++z) laws[x].push_back(writer.law(x, z));
  }
  return laws;
}

RealLaws laws_under(const Inventory& inventory, const Orders& orders) {
  const LawWriter writer(inventory);
  RealLaws laws(writer.states());
  for (std::size_t x = 0; x < laws.size(); ++x) laws[x].push_back(writer.law(x, orders.at(x)));
  return laws;
}

}  // namespace oracle
