#pragma once

#include <optional>
#include <string>

namespace shortfall::app {

/// The [risk] table of a configuration: `loss` and `gamma`, either of which may be left out.
struct RiskSection {
  std::optional<std::string> loss;
  std::optional<double> gamma;
};

/// Throws InvalidInput that names file, line and key: not TOML, no [risk], a value of another type,
/// a key of [risk] that is not known.
RiskSection read_risk_section(const std::string& path);

}  // namespace shortfall::app
