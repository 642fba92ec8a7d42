#include "apps/shortfall/spread_points.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "inventory/kernel/memory.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall::app {
namespace {

/// MessagePack keeps every bit of a number, infinities included.
std::vector<std::uint8_t> packed(const PointResult& result) {
  nlohmann::json outcomes = nlohmann::json::array();
  for (const auto& [status, error_bound] : result.outcomes) {
    outcomes.push_back({static_cast<int>(status), error_bound});
  }
  return nlohmann::json::to_msgpack({{"outcomes", std::move(outcomes)},
                                     {"document", result.document},
                                     {"rows", result.rows},
                                     {"note", result.note},
                                     {"refused", result.refused}});
}

PointResult unpacked(std::span<const std::uint8_t> bytes) {
  const nlohmann::json result = nlohmann::json::from_msgpack(bytes.begin(), bytes.end());
  PointResult point{.outcomes = {},
                    .document = result.at("document"),
                    .rows = result.at("rows"),
                    .note = result.at("note"),
                    .refused = result.at("refused")};
  for (const nlohmann::json& outcome : result.at("outcomes")) {
    point.outcomes.push_back({static_cast<Status>(outcome.at(0).get<int>()), outcome.at(1)});
  }
  return point;
}

bool fit_side_by_side(const std::vector<InventoryPoint>& points, detail::Communicator& ranks) {
  const double allowed = memory_allowed(ranks.ranks_on_machine());
  return std::ranges::all_of(points, [&](const InventoryPoint& point) {
    return inventory::memory_needed(point.configuration.model) <= allowed;
  });
}

}  // namespace

SpreadPoints::SpreadPoints(const std::vector<InventoryPoint>& points, const Processes& processes)
    : processes_(processes), is_spread_(false) {
  detail::Communicator& ranks = processes.communicator();
  if (ranks.size() == 1 || points.size() < ranks.size()) return;
  is_spread_ = ranks.all(fit_side_by_side(points, ranks));
}

bool SpreadPoints::is_own(std::size_t point) const {
  const detail::Communicator& ranks = processes_.communicator();
  return !is_spread_ || point % ranks.size() == ranks.rank();
}

std::vector<PointResult> SpreadPoints::on_first(
    std::size_t points, const std::function<PointResult(std::size_t)>& compute) const {
  std::vector<PointResult> by_point(points);
  for (std::size_t k = 0; k < points; ++k) {
    if (!is_own(k)) continue;
    try {
      by_point[k] = compute(k);
    } catch (const InvalidInput& error) {
      if (!is_spread_) throw;
      by_point[k].refused = error.what();
      break;  // one process would not go on, either
    }
  }
  if (is_spread_) collect(by_point);
  return by_point;
}

void SpreadPoints::collect(std::vector<PointResult>& by_point) const {
  detail::Communicator& ranks = processes_.communicator();
  for (std::size_t k = 0; k < by_point.size(); ++k) {
    std::vector<std::vector<std::byte>> sent(ranks.size());
    if (is_own(k)) {
      const std::vector<std::uint8_t> bytes = packed(by_point[k]);
      const auto begin = reinterpret_cast<const std::byte*>(bytes.data());
      sent[0].assign(begin, begin + bytes.size());
    }
    const auto received = ranks.all_to_all(std::move(sent));
    if (!processes_.is_first()) continue;
    const std::vector<std::byte>& bytes = received[k % ranks.size()];
    by_point[k] = unpacked({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }
  processes_.on_first([&] {
    for (const PointResult& result : by_point) {
      if (!result.refused.empty()) throw InvalidInput(result.refused);
    }
  });
}

}  // namespace shortfall::app
