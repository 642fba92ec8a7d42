#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
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

/// A loss, and an example from which its properties are computed.
struct BuiltInLoss {
  const char* formula;
  AnyLoss example;

  std::string spelling() const {
    return std::string(AnyLoss::spellings[example.variant().index()]);
  }
  std::string name() const { return spelling().substr(0, spelling().find(':')); }
};

std::vector<BuiltInLoss> built_in_losses() {
  static_assert(AnyLoss::spellings.size() == 6, "list new losses here");
  return {{"x", Mean()},
          {"TAU x for x > 0, (1 - TAU) x for x < 0", Expectile(0.9)},
          {"exp(BETA x) - 1", Entropic(0.5)},
          {"exp(BETA x) - 1 up to |x| = BOUND, its tangents beyond", TruncatedEntropic(0.5, 4.0)},
          {"MU s for x > 0, (1 - MU) s for x < 0; s = x / KAPPA up to |x| = KAPPA, slope KAPPA "
           "beyond",
           SoftQuantile(0.8, 0.1)},
          {"linear between the points (X, Y), which must rise; end slopes beyond",
           Piecewise({{-1.0, -0.5}, {0.0, 0.0}, {1.0, 2.0}})}};
}

nlohmann::json loss_json(const BuiltInLoss& loss) {
  const SlopeBounds slopes = loss.example.slope_bounds();
  const HalfLineCurvature curvature = loss.example.curvature();
  return {{"name", loss.name()},
          {"spelling", loss.spelling()},
          {"formula", loss.formula},
          {"slope_min", slopes.lower},
          {"slope_max", slopes.upper},  // null where unbounded
          {"curvature_negative", to_string(curvature.negative)},
          {"curvature_positive", to_string(curvature.positive)},
          {"example", loss.example.to_string()}};
}

std::string slopes_text(const SlopeBounds& slopes) {
  if (slopes.lower == slopes.upper) return fmt::format("{:.6g}", slopes.lower);
  return fmt::format("{:.6g} to {}", slopes.lower,
                     std::isinf(slopes.upper) ? "infinity" : fmt::format("{:.6g}", slopes.upper));
}

std::string losses_text(const std::vector<BuiltInLoss>& losses) {
  TextTable table(TextTable::Align::left);
  table.add({"loss", "example", "its slopes", "x < 0", "x > 0", "formula"});
  for (const BuiltInLoss& loss : losses) {
    const HalfLineCurvature curvature = loss.example.curvature();
    table.add({loss.spelling(), loss.example.to_string(), slopes_text(loss.example.slope_bounds()),
               std::string(to_string(curvature.negative)),
               std::string(to_string(curvature.positive)), loss.formula});
  }
  return table.text();
}

ExitCode run_losses(const GeneralOptions& options) {
  const std::vector<BuiltInLoss> losses = built_in_losses();
  if (!options.json) {
    print(losses_text(losses));
    return success;
  }
  nlohmann::json list = nlohmann::json::array();
  for (const BuiltInLoss& loss : losses) list.push_back(loss_json(loss));
  print_json({{"losses", std::move(list)}});
  return success;
}

}  // namespace

void add_risk(const CommandGroup& group) {
  const auto options = std::make_shared<RiskOptions>();
  const Grammar grammar = group.add("risk", "Compute the shortfall risk of a list of costs",
                                    [options] { return run_risk(*options); });
  add_loss(grammar, options->loss);
  add_input(grammar, "file", options->file,
            "A column of numbers, or CSV with value,probability; -: standard input")
      ->capture_default_str();
  add_general_options(grammar, *options, Randomness::none);
  grammar->footer("Example: printf '1\\n2\\n3\\n4\\n5\\n' | shortfall risk --loss expectile:0.25");
}

void add_losses(const CommandGroup& group) {
  const auto options = std::make_shared<GeneralOptions>();
  const Grammar grammar = group.add("losses", "List the loss functions that --loss accepts",
                                    [options] { return run_losses(*options); });
  add_general_options(grammar, *options, Randomness::none);
  grammar->footer(
      "Slopes and curvature are those of the example; curvature is by half-line, below and above\n"
      "0. A loss acts on costs: larger is worse.\n\n"
      "JSON: losses (each: name, spelling, formula, slope_min, slope_max (null: unbounded),\n"
      "      curvature_negative, curvature_positive, example)\n\n"
      "Example: shortfall losses");
}

}  // namespace shortfall::app
