#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "laws.hpp"

namespace oracle {

/// The parameters of one day of the week, or of all days if there is only one.
struct Day {
  std::string distribution;  ///< negative-binomial, poisson or empirical
  double n = 0.0;
  double mean = 0.0;
  std::size_t max = 0;
  std::vector<double> probabilities;  ///< of empirical demand
  std::size_t max_order = 0;
  double order = 0.0;  ///< costs
  double unit = 0.0;
  double holding = 0.0;
  double shortage = 0.0;
  double wastage = 0.0;
  std::vector<double> shares;  ///< by periods left from 1 on, if given
};

/// A perishable inventory as described by its file. A period: the stock x is observed and z
/// ordered; the units arrive, each with i periods left with probability p_i(z); demand is met from
/// the oldest units first; remaining units incur holding, and those that expire wastage as well.
struct Inventory {
  std::size_t shelf_life = 1;
  std::size_t capacity = 1;
  std::vector<double> c0;  ///< logits of 2, .., shelf_life periods left; none: all arrive fresh
  std::vector<double> c1;
  std::vector<Day> days;  ///< one or seven

  /// The stocks x = (x_1, .., x_{m-1}) of at most `capacity` units; the first is empty.
  std::vector<std::vector<std::size_t>> stocks() const;

  /// The largest order of a day at a given total stock.
  std::size_t largest_order(std::size_t day, std::size_t total) const;

  /// The approximate number of outcomes of all laws.
  double outcomes() const;
};

/// An order for each day and stock: [day · stocks + stock].
using Orders = std::vector<std::size_t>;

/// The laws of all orders at the current precision, from laws of demand and arrival with more
/// digits; states are numbered day · stocks + stock, actions are orders.
RealLaws laws_of(const Inventory& inventory);
RealLaws laws_under(const Inventory& inventory, const Orders& orders);

/// P(D = 0), .., P(D = max), with the mass above `max` added there.
std::vector<Real> demand_law(const Day& day);

/// p_1(z), .., p_m(z).
std::vector<Real> arrival_law(const Inventory& inventory, const Day& day, std::size_t order);

}  // namespace oracle
