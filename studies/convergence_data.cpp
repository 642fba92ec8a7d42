#include "studies/convergence_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace shortfall::studies {
namespace {

constexpr double divergence_share = 10.0;  ///< of ‖V‖_q

double number(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_null() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

ConvergenceSetting setting_of(const RiskFamily& family, const Json& row) {
  return {row.at(family.level).get<double>(), row.at("gamma").get<double>(),
          row.at("d").get<std::uint32_t>()};
}

bool are_equal(const ConvergenceSetting& a, const ConvergenceSetting& b) {
  return a.level == b.level && a.gamma == b.gamma && a.d == b.d;
}

Learned learned_of(const Json& end, const Json& curves) {
  Learned learned{.algorithm = end.at("algorithm").get<std::string>(),
                  .distance = number(end, "distance"),
                  .standard_error = number(end, "standard_error"),
                  .to_fixed_point = number(end, "to_fixed_point"),
                  .diverged = end.at("diverged").get<std::size_t>(),
                  .runs = end.at("runs").get<std::size_t>(),
                  .iterations_to_threshold = number(end, "iterations_to_threshold"),
                  .limit = end.at("limit").get<std::string>(),
                  .limit_distance = number(end, "limit_distance"),
                  .limit_rate = number(end, "limit_rate")};
  for (const Json& row : curves) {
    if (row.at("algorithm") != end.at("algorithm")) continue;
    learned.curve.push_back({.iteration = row.at("iteration").get<std::uint64_t>(),
                             .distance = number(row, "distance"),
                             .standard_error = number(row, "standard_error"),
                             .spread = number(row, "first_component_standard_error")});
  }
  return learned;
}

Panel panel_of(const RiskFamily& family, const Json& part) {
  const Json& row = part.at("settings").at(0);
  Panel panel{.setting = setting_of(family, row),
              .place = {},
              .condition_holds = row.at("condition_holds").get<bool>(),
              .sharp_gamma_limit = number(row, "sharp_gamma_limit"),
              .value_norm = number(row, "value_norm"),
              .fixed_point_distance = number(row, "fixed_point_distance")};
  panel.place =
      fmt::format("{} {}, gamma {}", family.level, panel.setting.level, panel.setting.gamma);
  for (const Json& end : part.at("ends")) {
    panel.learned.push_back(learned_of(end, part.at("curves")));
  }
  return panel;
}

DrawTally tally_of(const RiskFamily& family, const Json& row) {
  return {.setting = setting_of(family, row),
          .algorithm = row.at("algorithm").get<std::string>(),
          .draws = row.at("draws").get<std::size_t>(),
          .stable = row.at("stable").get<std::size_t>(),
          .away = row.at("away").get<std::size_t>(),
          .far = row.at("far").get<std::size_t>(),
          .nearest = row.at("nearest").get<std::size_t>()};
}

}  // namespace

const Learned& Panel::by(std::string_view algorithm) const {
  const auto found = std::ranges::find(learned, algorithm, &Learned::algorithm);
  if (found == learned.end()) throw std::logic_error(fmt::format("{}: no {}", place, algorithm));
  return *found;
}

bool Panel::has_diverged(const Learned& learner) const {
  return learner.diverged > 0 || learner.distance > divergence_share * value_norm;
}

std::vector<Panel> ConvergenceData::with_features(std::uint32_t d) const {
  std::vector<Panel> found;
  std::ranges::copy_if(panels, std::back_inserter(found),
                       [d](const Panel& panel) { return panel.setting.d == d; });
  return found;
}

const Panel& ConvergenceData::at(const ConvergenceSetting& setting) const {
  for (const Panel& panel : panels) {
    if (are_equal(panel.setting, setting)) return panel;
  }
  throw std::logic_error(
      fmt::format("no runs at {}, {}, {}", setting.level, setting.gamma, setting.d));
}

const DrawTally& ConvergenceData::drawn(const ConvergenceSetting& setting,
                                        std::string_view algorithm) const {
  for (const DrawTally& tally : draws) {
    if (are_equal(tally.setting, setting) && tally.algorithm == algorithm) return tally;
  }
  throw std::logic_error(
      fmt::format("no draws at {}, {}, {}", setting.level, setting.gamma, setting.d));
}

ConvergenceData convergence_data(const RiskFamily& family, const std::vector<Json>& parts) {
  ConvergenceData data;
  for (const Json& part : parts) {
    if (part.contains("draws")) {
      for (const Json& row : part.at("draws")) data.draws.push_back(tally_of(family, row));
      continue;
    }
    data.panels.push_back(panel_of(family, part));
    for (const Learned& learned : data.panels.back().learned) {
      data.iterations = std::max(data.iterations, learned.curve.back().iteration);
    }
  }
  return data;
}

}  // namespace shortfall::studies
