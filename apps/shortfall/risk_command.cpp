#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/shortfall/command.hpp"
#include "shortfall/formats/law_csv.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::app {

ExitCode run(const RiskOptions& options) {
  const AnyLoss loss = AnyLoss::parse(options.loss);
  const io::LoadedLaw law = io::read_law_csv(options.file, {.threads = options.threads});
  const double risk = shortfall_risk(loss, law.law());
  const double mean = shortfall_risk(AnyLoss(Mean()), law.law());
  if (!std::isfinite(risk) || !std::isfinite(mean)) {
    throw std::overflow_error(fmt::format(
        "{}: the risk leaves the range of double precision; scale the numbers down", options.file));
  }
  if (options.json) {
    print_json({{"risk", risk},
                {"mean", mean},
                {"count", law.atoms.size()},
                {"loss", loss.to_string()},
                {"error_bound", risk_rounding(loss, law.law())}});
  } else {
    print(fmt::format("risk   {}   ({})\nmean   {}\ncount  {}\n", risk, loss.to_string(), mean,
                      law.atoms.size()));
  }
  return success;
}

}  // namespace shortfall::app
