#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "shortfall/io/law_csv.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {
namespace {

struct RiskOptions : CommonOptions {
  std::string loss;
  std::string file = "-";
};

ExitCode run_risk(const RiskOptions& options) {
  const AnyLoss loss = AnyLoss::parse(options.loss);
  const io::LoadedLaw law = io::read_law_csv(options.file, {.threads = options.threads});
  const double risk = shortfall_risk(loss, law.law());
  const double mean = shortfall_risk(Mean(), law.law());
  if (!std::isfinite(risk) || !std::isfinite(mean)) {
    throw std::overflow_error(fmt::format(
        "{}: the risk leaves the range of double precision; scale the numbers down", options.file));
  }
  if (options.json) {
    print_json(
        {{"risk", risk}, {"mean", mean}, {"count", law.atoms.size()}, {"loss", loss.word()}});
  } else {
    print(fmt::format("risk   {}   ({})\nmean   {}\ncount  {}\n", risk, loss.word(), mean,
                      law.atoms.size()));
  }
  return success;
}

}  // namespace

void add_risk_command(CLI::App& app, Run& run) {
  auto options = std::make_shared<RiskOptions>();
  CLI::App* command = app.add_subcommand("risk", "The shortfall risk of a list of costs");
  command->add_option("--loss", options->loss, "The loss, such as expectile:0.9")->required();
  command
      ->add_option("file", options->file,
                   "A column of numbers, or CSV with value,probability; -: standard input")
      ->capture_default_str();
  add_common_options(*command, *options);
  command->footer("Example: printf '1\\n2\\n3\\n4\\n5\\n' | shortfall risk --loss expectile:0.25");
  command->callback([options, &run] { run = [options] { return run_risk(*options); }; });
}

}  // namespace shortfall::app
