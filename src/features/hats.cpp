#include "shortfall/features/hats.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"

namespace shortfall::features {
namespace {

std::size_t count_nodes(const std::vector<std::vector<double>>& knots) {
  require(!knots.empty() && knots.size() <= max_coordinates,
          "knots of {} coordinates; accepted: 1 to {}", knots.size(), max_coordinates);
  std::vector<std::size_t> counts;
  for (std::size_t j = 0; j < knots.size(); ++j) {
    const std::vector<double>& of = knots[j];
    for (std::size_t i = 0; i < of.size(); ++i) {
      require(std::isfinite(of[i]) && (i == 0 || of[i] > of[i - 1]),
              "knot {} of coordinate {} is {}; accepted: increasing finite numbers", i + 1, j + 1,
              of[i]);
    }
    require(of.empty() || std::isfinite(of.back() - of.front()),
            "knots of coordinate {} from {} to {}; accepted: a finite distance", j + 1,
            of.empty() ? 0.0 : of.front(), of.empty() ? 0.0 : of.back());
    counts.push_back(of.size());
  }
  return detail::checked_product(counts, "knots");
}

}  // namespace

Hats::Hats(std::vector<std::vector<double>> knots)
    : knots_(std::move(knots)), dimension_(count_nodes(knots_)), max_active_(1) {
  for (const auto& of : knots_) max_active_ *= of.size() > 1 ? 2U : 1U;
}

Hats Hats::uniform(std::span<const double> low, std::span<const double> high,
                   std::span<const std::size_t> nodes) {
  detail::check_box(low, high);
  require(nodes.size() == low.size(), "numbers of nodes for {} coordinates; accepted: {}",
          nodes.size(), low.size());
  (void)detail::checked_product(nodes, "nodes");
  std::vector<std::vector<double>> knots(low.size());
  for (std::size_t j = 0; j < low.size(); ++j) {
    require(nodes[j] >= 2, "1 node in coordinate {}; accepted: at least 2", j + 1);
    const auto intervals = static_cast<double>(nodes[j] - 1);
    for (std::size_t i = 0; i < nodes[j]; ++i) {
      const double share = static_cast<double>(i) / intervals;
      knots[j].push_back(low[j] * (1.0 - share) + high[j] * share);
    }
  }
  return Hats(std::move(knots));
}

template <class Use>
void Hats::for_each_active(std::span<const double> x, const Use& use) const {
  struct Interval {
    std::size_t lower;  // its knot
    double share;       // of the next knot
  };
  const std::size_t k = x.size();
  std::array<Interval, max_coordinates> around;  // NOLINT(*-member-init): written next
  for (std::size_t j = 0; j < k; ++j) {
    const std::vector<double>& of = knots_[j];
    const double at = std::clamp(x[j], of.front(), of.back());
    const auto upper = std::upper_bound(of.begin() + 1, of.end() - (of.size() > 1 ? 1 : 0), at);
    const auto i = static_cast<std::size_t>(upper - of.begin()) - 1;
    around[j] = {i, of.size() > 1 ? (at - of[i]) / (of[i + 1] - of[i]) : 0.0};
  }
  // The first coordinate is the highest bit, so that indices ascend.
  for (std::size_t corner = 0; corner < (std::size_t{1} << k); ++corner) {
    std::size_t node = 0;
    double value = 1.0;
    for (std::size_t j = 0; j < k && value > 0.0; ++j) {
      const bool is_upper = ((corner >> (k - 1 - j)) & 1) != 0;
      node = node * knots_[j].size() + around[j].lower + (is_upper ? 1 : 0);
      value *= is_upper ? around[j].share : 1.0 - around[j].share;
    }
    if (value > 0.0) use(node, value);
  }
}

void Hats::write_at(std::span<const double> x, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for_each_active(x, [&](std::size_t i, double value) { out[i] = value; });
}

void Hats::write_active_at(std::span<const double> x, ActiveFeatures& out) const {
  out.clear();
  for_each_active(x, [&](std::size_t i, double value) { out.add(i, value); });
}

}  // namespace shortfall::features
