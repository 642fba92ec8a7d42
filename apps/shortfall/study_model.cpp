#include "apps/shortfall/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "apps/shortfall/command_model.hpp"
#include "errors/require.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library/catalogue.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

using library::CatalogueModel;
using studies::StudiedFeatures;

constexpr std::string_view one_per_state_name = "one-per-state";

bool is_library_name(const std::string& name) {
  return std::ranges::count(library::catalogue_names(), name) > 0;
}

void check_source(const std::string& name) {
  std::error_code ignored;
  require(name == "-" || std::filesystem::exists(name, ignored),
          "{}: there is no such file, and no such model in the library; accepted: a model as CSV "
          "or binary, "
          "or {}",
          name, fmt::join(library::catalogue_names(), ", "));
}

std::vector<StudiedFeatures> features_of(const StudyArguments& options, const CatalogueModel* known,
                                         std::size_t states) {
  std::vector<StudiedFeatures> features;
  if (options.features.empty() && known != nullptr && known->features.cols() > 0) {
    return {{known->name, known->features}};
  }
  if (options.features.empty()) return {{std::string(one_per_state_name)}};
  for (const std::string& name : options.features) {
    features.push_back(
        {name, name == one_per_state_name ? Eigen::MatrixXd() : read_state_features(name, states)});
  }
  return features;
}

Chain under_optimal_policy(const Mdp& model, const Criterion& criterion, int threads) {
  require(criterion.gamma < 1.0, "--policy optimal with gamma 1; accepted: gamma below 1");
  const Solution best = solve(model, criterion, {}, {.threads = threads});
  if (best.policy.empty() || best.status == Status::overflow) {
    throw std::runtime_error("no optimal policy: " + best.brief_report());
  }
  return under_policy(model, best.policy);
}

void choose_policy(const StudyArguments& options, const CatalogueModel* known, StudyModel& model) {
  const Mdp& mdp = model.loaded.model;
  model.policy = options.policy.name;
  const auto always = [&](Chain chain) {
    model.chain_under = [chain = std::move(chain)](const Criterion&) { return chain; };
  };
  if (model.policy == "optimal") {
    model.chain_under = [&mdp, threads = options.threads](const Criterion& criterion) {
      return under_optimal_policy(mdp, criterion, threads);
    };
  } else if (!model.policy.empty()) {
    always(read_policy(options.policy, mdp));
  } else if (known != nullptr && known->policy) {
    model.policy = "of the library";
    always(under_policy(mdp, *known->policy));
  } else {
    const std::optional<Policy> only = unique_policy(mdp);
    require(only.has_value(),
            "{}: the model has a choice of actions, and learners evaluate a policy; accepted: "
            "--policy FILE.csv, --policy optimal (the best one for each loss) or --policy uniform",
            model.name);
    model.policy = "the only one";
    always(under_policy(mdp, *only));
  }
}

std::optional<StateIndex> start_of(const std::string& text, const Mdp& model) {
  if (text == "uniform") return std::nullopt;
  const StateIndex base = model.state_base();
  for (std::size_t x = 0; text.empty() && x < model.states(); ++x) {
    if (!model.is_terminal(x)) return static_cast<StateIndex>(x);
  }
  const auto number = io::parse_finite_number(text);
  const double index = number ? *number - base : -1.0;
  const bool is_state = index >= 0.0 && index < static_cast<double>(model.states()) &&
                        index == static_cast<double>(static_cast<StateIndex>(index));
  require(is_state && !model.is_terminal(static_cast<std::size_t>(index)),
          "--start is '{}'; accepted: uniform, or a state that is not terminal, {} to {}", text,
          base, base + model.states() - 1);
  return static_cast<StateIndex>(index);
}

}  // namespace

void read_study_model(const StudyArguments& options, StudyModel& model) {
  std::optional<CatalogueModel> found;
  if (is_library_name(options.model)) found = library::catalogue_model(options.model);
  if (!found) check_source(options.model);
  const CatalogueModel* const known = found ? &*found : nullptr;
  model.name = options.model == "-" ? "standard input" : options.model;
  if (known != nullptr) model.about = known->about;
  model.loaded = known != nullptr ? io::LoadedModel{known->model, io::Sense::cost}
                                  : io::read_model(options.model, {.threads = options.threads});
  model.losses = options.losses;
  if (model.losses.empty() && known != nullptr && known->loss) model.losses = {*known->loss};
  require(!model.losses.empty(), "--loss is missing; accepted: one or more, as --loss mean");
  model.gammas = options.gammas;
  if (model.gammas.empty() && known != nullptr && known->gamma) model.gammas = {*known->gamma};
  require(!model.gammas.empty(), "--gamma is missing; accepted: a discount factor");
  model.features = features_of(options, known, model.loaded.model.states());
  choose_policy(options, known, model);
  model.start = start_of(options.start, model.loaded.model);
}

void check_study_features(const std::vector<studies::StudiedLearner>& learners,
                          const StudyModel& model) {
  studies::check_feature_sizes(model.features, model.loaded.model.states());
  for (const studies::StudiedLearner& learner : learners) {
    if (!is_averager(learner.options.algorithm)) continue;
    for (const StudiedFeatures& features : model.features) {
      const bool is_of_library = features.name == model.name;
      if (features.phi.cols() == 0 || is_of_library) continue;
      require_averager(features.name, features.phi, model.loaded.model);
    }
  }
}

}  // namespace shortfall::app
