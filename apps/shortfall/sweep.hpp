#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shortfall::app {

/// What a command can sweep over, for messages: an example, and the two keys that set the loss.
struct SweepRule {
  std::string_view example;
  std::string_view level_key;
  std::string_view loss_key;
};
inline constexpr SweepRule inventory_sweeps{"risk.tau=0.1:0.9:0.1 or cost.order=10,20,50",
                                            "risk.tau", "risk.loss"};

/// A key and the values it takes, one after the other.
struct Sweep {
  std::string key;
  std::vector<std::string> values;
};

/// Parses KEY=A:B:STEP, numbers from A to B, or KEY=V1,V2,.. where commas in brackets and quotes do
/// not separate values. B is included despite rounding: 0.1:0.9:0.1 has nine values. Throws
/// InvalidInput whose message starts with the option, also if a value is given twice.
Sweep parse_sweep(const std::string& text, const SweepRule& rule);

/// Keys and their values, in the order of the sweeps.
using SweepPoint = std::vector<std::pair<std::string, std::string>>;

/// All combinations, the last sweep varying fastest; one empty point without sweeps. Throws
/// InvalidInput if two sweeps have the same key.
std::vector<SweepPoint> sweep_points(const std::vector<std::string>& sweeps, const SweepRule& rule);

}  // namespace shortfall::app
