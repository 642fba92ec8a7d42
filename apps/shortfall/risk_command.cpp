#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/grammar.hpp"
#include "shortfall/formats/law_csv.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/rounding.hpp"

namespace shortfall::app {
namespace {

struct RiskOptions : GeneralOptions {
  AnyLoss loss = Mean();
  std::string file = "-";
};

ExitCode run_risk(const RiskOptions& options) {
  const AnyLoss& loss = options.loss;
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

}  // namespace

void add_risk(const CommandGroup& group) {
  const auto options = std::make_shared<RiskOptions>();
  const Grammar grammar = group.add("risk", "Compute the shortfall risk of a list of costs",
                                    [options] { return run_risk(*options); });
  add_loss(grammar, options->loss);
  grammar
      ->add_option("file", options->file,
                   "A column of numbers, or CSV with value,probability; -: standard input")
      ->capture_default_str();
  add_general_options(grammar, *options, Randomness::none);
  grammar->footer("Example: printf '1\\n2\\n3\\n4\\n5\\n' | shortfall risk --loss expectile:0.25");
}

}  // namespace shortfall::app
