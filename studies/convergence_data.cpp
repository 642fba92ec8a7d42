#include "studies/convergence_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace shortfall::studies {
namespace {

constexpr double divergence_share = 10.0;  ///< of ‖V‖_q

/// A row with these keys first, then the numbers and texts of a record.
Json row_of(Json row, const Json& record) {
  for (const auto& [key, value] : record.items()) {
    if (!value.is_structured()) row[key] = value;
  }
  return row;
}

Json keys_of(const RiskFamily& family, const ConvergenceSetting& setting) {
  return {{std::string(family.level), setting.level}, {"gamma", setting.gamma}, {"d", setting.d}};
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
    if (panel.setting == setting) return panel;
  }
  throw std::logic_error(
      fmt::format("no runs at {}, {}, {}", setting.level, setting.gamma, setting.d));
}

const DrawTally& ConvergenceData::drawn(const ConvergenceSetting& setting,
                                        std::string_view algorithm) const {
  for (const DrawTally& tally : draws) {
    if (tally.setting == setting && tally.algorithm == algorithm) return tally;
  }
  throw std::logic_error(
      fmt::format("no draws at {}, {}, {}", setting.level, setting.gamma, setting.d));
}

ConvergenceData convergence_data(const RiskFamily& family,
                                 const std::vector<ConvergenceData>& parts) {
  ConvergenceData data;
  for (const ConvergenceData& part : parts) {
    std::ranges::copy(part.panels, std::back_inserter(data.panels));
    std::ranges::copy(part.draws, std::back_inserter(data.draws));
  }
  for (Panel& panel : data.panels) {
    panel.place =
        fmt::format("{} {}, gamma {}", family.level, panel.setting.level, panel.setting.gamma);
    for (const Learned& learned : panel.learned) {
      data.iterations = std::max(data.iterations, learned.curve.back().iteration);
    }
  }
  return data;
}

Json convergence_tables(const RiskFamily& family, const ConvergenceData& data) {
  Json tables = {{"curves", Json::array()},
                 {"settings", Json::array()},
                 {"ends", Json::array()},
                 {"draws", Json::array()}};
  for (const Panel& panel : data.panels) {
    const Json keys = keys_of(family, panel.setting);
    tables["settings"].push_back(row_of(keys, panel));
    for (const Learned& learned : panel.learned) {
      Json& end = tables["ends"].emplace_back(row_of(keys, learned));
      if (learned.iterations_to_threshold < infinity) {
        end["iterations_to_threshold"] = std::llround(learned.iterations_to_threshold);
      }
      Json curve_keys = keys;
      curve_keys["algorithm"] = learned.algorithm;
      for (const CurvePoint& point : learned.curve) {
        tables["curves"].push_back(row_of(curve_keys, point));
      }
    }
  }
  for (const DrawTally& tally : data.draws) {
    tables["draws"].push_back(row_of(keys_of(family, tally.setting), tally));
  }
  return tables;
}

}  // namespace shortfall::studies
