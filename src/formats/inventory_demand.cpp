#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "formats/inventory_parts.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/model/demand.hpp"

namespace shortfall::io {
namespace {

using inventory::of_day;

constexpr std::string_view distributions = "\"negative-binomial\", \"poisson\" or \"empirical\"";

// Beyond this, log Γ loses the digits that probabilities need.
constexpr NumberRule parameter_rule{[](double x) { return x > 0.0 && x <= 1e6; },
                                    "a number above 0, at most 1e6"};
constexpr NumberRule mean_rule{[](double x) { return x >= 0.0 && x <= 1e6; },
                               "a number from 0 to 1e6"};
constexpr NumberRule probability_rule{[](double x) { return x >= 0.0; }, "a number, at least 0"};

void refuse_keys(const SettingReader& settings, std::initializer_list<std::string_view> keys,
                 std::string_view distribution, std::string_view accepted) {
  for (const std::string_view key : keys) {
    const Setting* const setting = settings.find(key);
    if (setting) {
      refuse(*setting, fmt::format("does not apply to the distribution {:?}", distribution),
             accepted);
    }
  }
}

std::vector<std::vector<double>> read_poisson(const SettingReader& settings, std::size_t max) {
  refuse_keys(settings, {"demand.n", "demand.probabilities"}, "poisson", "mean and max");
  std::vector<std::vector<double>> laws;
  for (const double mean : settings.number_or_week("demand.mean", mean_rule)) {
    laws.push_back(inventory::poisson_demand(mean, max));
  }
  return laws;
}

std::vector<std::vector<double>> read_negative_binomial(const SettingReader& settings,
                                                        std::size_t max) {
  refuse_keys(settings, {"demand.probabilities"}, "negative-binomial", "n, mean and max");
  const std::vector<double> n = settings.number_or_week("demand.n", parameter_rule);
  const std::vector<double> mean = settings.number_or_week("demand.mean", mean_rule);
  std::vector<std::vector<double>> laws;
  for (std::size_t day = 0; day < std::max(n.size(), mean.size()); ++day) {
    laws.push_back(inventory::negative_binomial_demand(of_day(n, day), of_day(mean, day), max));
  }
  return laws;
}

std::vector<std::vector<double>> read_empirical(const SettingReader& settings) {
  refuse_keys(settings, {"demand.n", "demand.mean", "demand.max"}, "empirical",
              "probabilities of a demand of 0, 1, ..");
  std::vector<std::vector<double>> laws =
      settings.list_or_week("demand.probabilities", probability_rule);
  for (auto& law : laws) {
    try {
      law = inventory::empirical_demand(law);
    } catch (const InvalidInput& error) {
      throw InvalidInput(
          fmt::format("{}: {}", settings.find("demand.probabilities")->where, error.what()));
    }
  }
  return laws;
}

}  // namespace

std::vector<std::vector<double>> read_demand(const SettingReader& settings) {
  const std::string distribution = settings.text("demand.distribution", distributions);
  if (distribution == "empirical") return read_empirical(settings);
  const bool poisson = distribution == "poisson";
  if (!poisson && distribution != "negative-binomial") {
    refuse(*settings.find("demand.distribution"), fmt::format("found {:?}", distribution),
           distributions);
  }
  const std::size_t max = settings.integer("demand.max", 0, inventory::largest_demand);
  return poisson ? read_poisson(settings, max) : read_negative_binomial(settings, max);
}

}  // namespace shortfall::io
