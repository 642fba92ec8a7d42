#include "shortfall/formats/inventory_toml.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "formats/inventory_identity.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "tests/fuzz/reader.hpp"
#include "text/text.hpp"

namespace shortfall::fuzz {
namespace {

constexpr std::string_view name = "plan.toml";

void expect_plan(const io::InventoryConfiguration& plan) {
  const auto& [model, criterion] = plan;
  expect(criterion.gamma > 0.0 && criterion.gamma < 1.0, "gamma is in (0, 1)");
  expect(AnyLoss::parse(criterion.loss.to_string()).to_string() == criterion.loss.to_string(),
         "a loss that is written reads back", criterion.loss.to_string());
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto law = model.demand(day);
    expect(std::abs(compensated_sum(law) - 1.0) <= 1e-12, "the law of demand sums to one");
    expect(std::ranges::all_of(law, [](double p) { return p >= 0.0 && p <= 1.0; }),
           "probabilities of demand are in [0, 1]");
    for (std::size_t z = 1; z <= std::min<std::size_t>(model.largest_order(day, 0), 5); ++z) {
      const std::vector<double> ages = model.arrival(day).probabilities(z);
      expect(std::abs(compensated_sum(ages) - 1.0) <= 1e-12, "shares of a delivery sum to one");
    }
  }
}

}  // namespace

/// The plan, and after each NUL byte a value as --set gives it.
void read_inventory_toml(std::string_view bytes) {
  const std::vector<std::string_view> parts = io::split(bytes, '\0');
  // What is wrong is in the file, or in what was set.
  const std::string_view begin = parts.size() == 1 ? name : "";
  const auto is_read = [&](auto&& read) { return is_accepted(begin, read); };
  std::optional<io::InventoryToml> toml;
  if (!is_accepted(name, [&] { toml.emplace(parts.front(), std::string(name)); })) return;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    is_accepted("--set", [&] { toml->set(parts[i]); });
  }
  is_read([&] { (void)toml->loss(); });
  is_read([&] { (void)toml->gamma(); });
  std::optional<io::InventoryConfiguration> plan;
  if (is_read([&] { plan.emplace(toml->configuration()); })) {
    expect_plan(*plan);
    expect(io::identity(*plan) == io::identity(toml->configuration()), "a plan is what it was");
  }
}

}  // namespace shortfall::fuzz
