#include "apps/shortfall/evaluation_arguments.hpp"

#include <memory>
#include <string>

#include "apps/shortfall/grammar.hpp"
#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::app {
namespace {

using inventory::EvaluationMethod;

void set_step(EvaluationMethod& method, const std::string& given) {
  method.step.reset();
  if (given == "fitted") return;
  try {
    method.step = learn::AnyStep::parse(given);
  } catch (const InvalidInput& error) {
    throw InvalidInput(std::string(error.what()) + ", or fitted");
  }
}

}  // namespace

void add_evaluation_options(const Grammar& grammar, inventory::TrainingOptions& options) {
  EvaluationMethod& method = options.evaluation;
  add_choice(grammar, "--evaluation", method.kind, inventory::evaluation_kind_names,
             "How orders are evaluated from samples. restarted: paths restart from time to time, "
             "features and steps are fitted. published: as Wang and Delage describe it in "
             "section 6.2; the options below set what they leave open");
  grammar.add_check([&method] { method = inventory::evaluation_method(method.kind); });
  add_named(grammar, "--normalisation", method.normalisation, inventory::stock_normalisation_names,
            "choice",
            "Features that learners work in: orthonormal, largest (each divided by its largest "
            "value), standard (mean 0, deviation 1), none; published: largest");
  add_parsed(
      grammar, "--step", [&method](const std::string& given) { set_step(method, given); },
      "Steps of td and averager-td: fitted, B1,B2,DELTA for B1/(n+B2)^DELTA, or a constant; "
      "published: "
      "2,100,0.6666666666666666");
  grammar.offer("--step", {"fitted"});
  add_named(grammar, "--paths", method.paths, inventory::sample_paths_names, "choice",
            "restarted, separate (each path goes on from its start), divided (one path, cut into "
            "pieces); published: divided");
  add_named(grammar, "--start", method.start, inventory::path_start_names, "choice",
            "Stock at the start of a path: delivery (part of a delivery of random size), empty, "
            "uniform (any stock); published: empty");
  add_named(grammar, "--first-weights", method.first_weights, inventory::first_weights_names,
            "choice",
            "Weights before the first evaluation: non-perishable (the value if nothing perished), "
            "zero; published: zero");
  add_named(grammar, "--next-weights", method.next_weights, inventory::next_weights_names, "choice",
            "Weights before each later evaluation: carried (from the one before), first; "
            "published: carried");
  add_named(grammar, "--draws", method.draws, inventory::improvement_draws_names, "choice",
            "Simulated periods of improvement sampled:S: stratified (the same for all), per-state, "
            "per-order (new ones for each stock, or each order); published: per-state");
}

void check_evaluation(const CLI::App& given, const inventory::TrainingOptions& options,
                      std::size_t scenarios) {
  const auto is_given = [&](const char* name) { return given.count(name) > 0; };
  require(!is_given("--step") || !is_newton(options.algorithm),
          "--step with --algorithm {}; accepted: --algorithm td or averager-td",
          to_string(options.algorithm));
  require(!is_given("--normalisation") || !is_averager(options.algorithm),
          "--normalisation with --algorithm {}; accepted: --algorithm td or newton: averagers take "
          "features as they are",
          to_string(options.algorithm));
  require(!is_given("--draws") || scenarios > 0,
          "--draws with --improvement exact; accepted: --improvement sampled:S");
}

}  // namespace shortfall::app
