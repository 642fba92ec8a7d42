#include "shortfall/features/polynomial.hpp"

#include <fmt/format.h>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::features {
namespace {

/// (v + p)! / (v! p!), or some number above `most` if it exceeds that. Floating point suffices, as
/// only its size matters then.
double monomial_count(std::size_t variables, std::size_t degree, double most) {
  double count = 1.0;
  for (std::size_t k = 1; k <= degree && count <= most; ++k) {
    count *= static_cast<double>(variables + k) / static_cast<double>(k);
  }
  return count;
}

void check_options(const PolynomialOptions& options) {
  const auto& [variables, degree, intercept] = options;
  require(variables != 0, "0 variables in a polynomial; accepted: one or more");
  require(degree != 0, "a polynomial of degree 0; accepted: 1 or more");
  constexpr auto most = static_cast<double>(Polynomial::max_features);
  require(monomial_count(variables, degree, most) <= most,
          "more than {} monomials of degree up to {} in {} variables; accepted: fewer",
          Polynomial::max_features, degree, variables);
}

std::string power(std::size_t variable, std::size_t exponent) {
  return exponent == 1 ? fmt::format("x{}", variable + 1)
                       : fmt::format("x{}^{}", variable + 1, exponent);
}

}  // namespace

Polynomial::Polynomial(const PolynomialOptions& options)
    : variables_(options.variables), intercept_(options.intercept) {
  check_options(options);
  const std::size_t first = intercept_ == Intercept::with ? 1 : 0;
  // A monomial is a list of its variables in increasing order. Multiplying each monomial of the
  // last degree, in order, by its own last variable and all later ones gives each monomial of the
  // next degree once, in order.
  std::vector<std::size_t> last_variable;
  for (std::size_t i = 0; i < variables_; ++i) last_variable.push_back(i);
  std::size_t begin = 0;
  for (std::size_t degree = 2; degree <= options.degree; ++degree) {
    const std::size_t end = last_variable.size();
    for (std::size_t k = begin; k < end; ++k) {
      for (std::size_t i = last_variable[k]; i < variables_; ++i) {
        products_.push_back({static_cast<std::uint32_t>(first + k), static_cast<std::uint32_t>(i)});
        last_variable.push_back(i);
      }
    }
    begin = end;
  }
  dimension_ = first + last_variable.size();
}

std::vector<std::string> Polynomial::names() const {
  const std::size_t first = intercept_ == Intercept::with ? 1 : 0;
  std::vector<std::vector<std::size_t>> exponents(dimension_,
                                                  std::vector<std::size_t>(variables_, 0));
  for (std::size_t i = 0; i < variables_; ++i) exponents[first + i][i] = 1;
  for (std::size_t k = 0; k < products_.size(); ++k) {
    auto& product = exponents[first + variables_ + k];
    product = exponents[products_[k].monomial];
    ++product[products_[k].variable];
  }
  std::vector<std::string> names;
  for (const auto& exponent : exponents) {
    std::vector<std::string> factors;
    for (std::size_t i = 0; i < variables_; ++i) {
      if (exponent[i] > 0) factors.push_back(power(i, exponent[i]));
    }
    names.push_back(factors.empty() ? "1" : fmt::format("{}", fmt::join(factors, " ")));
  }
  return names;
}

void Polynomial::throw_wrong_size(std::size_t found) const {
  throw InvalidInput(
      fmt::format("a state of {} numbers; accepted: {}, one per variable", found, variables_));
}

}  // namespace shortfall::features
