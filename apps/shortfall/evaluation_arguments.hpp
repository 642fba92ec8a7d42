#pragma once

#include "shortfall/inventory/train/train.hpp"

namespace CLI {
class App;
}

namespace shortfall::app {

class Grammar;

/// `--evaluation`, and the options for what it sets. Reads them into options.evaluation.
void add_evaluation_options(const Grammar& grammar, inventory::TrainingOptions& options);

/// Refuses those that do not apply, given the number of simulated transitions of an improvement.
void check_evaluation(const CLI::App& given, const inventory::TrainingOptions& options,
                      std::size_t scenarios);

}  // namespace shortfall::app
