#include "shortfall/learn/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::learn {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double standard_error_of(std::span<const double> values, double mean) {
  if (values.size() < 2) return undefined;
  if (mean == infinity) return infinity;
  double squares = 0.0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto n = static_cast<double>(values.size());
  return std::sqrt(squares / (n * (n - 1.0)));
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*std::max_element(values.begin(), middle) + *middle);
}

}  // namespace

Summary summarise(std::span<const double> values) {
  if (values.empty()) return {undefined, undefined, undefined};
  const double mean = mean_of(values);
  return {mean, standard_error_of(values, mean), median_of({values.begin(), values.end()})};
}

std::vector<std::uint64_t> log_spaced(std::uint64_t first, std::uint64_t last,
                                      std::size_t per_decade) {
  require(first >= 1 && first <= last && per_decade >= 1,
          "points from {} to {}, {} per decade; accepted: 1 <= from <= to, one or more per decade",
          first, last, per_decade);
  std::vector<std::uint64_t> points;
  for (std::size_t k = 0; true; ++k) {
    const double exponent = static_cast<double>(k) / static_cast<double>(per_decade);
    const double point = std::round(static_cast<double>(first) * portable::pow(10.0, exponent));
    if (!(point < static_cast<double>(last))) break;
    const auto integer = static_cast<std::uint64_t>(point);
    if (points.empty() || integer > points.back()) points.push_back(integer);
  }
  points.push_back(last);
  return points;
}

}  // namespace shortfall::learn
