#include "shortfall/mdp/library/catalogue.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/library.hpp"

namespace shortfall::library {
namespace {

CatalogueModel catalogued_boyan() {
  return {.name = "boyan",
          .about = "Boyan's chain: 13 steps to the end, in steps of one or two",
          .model = boyan_chain(),
          .gamma = 1.0,
          .features = boyan_features()};
}

CatalogueModel catalogued_counterexample() {
  Counterexample found = counterexample(0.95, DeltaRoot::smaller);
  return {.name = "counterexample",
          .about = "two states and one feature: TD moves away from the value, which is 0",
          .model = std::move(found.model),
          .gamma = found.gamma,
          .features = std::move(found.features),
          .loss = AnyLoss(found.loss)};
}

CatalogueModel catalogued_forest() {
  return {.name = "forest",
          .about = "a forest of three ages that may burn: wait (0) or cut (1)",
          .model = forest(),
          .gamma = 0.9,
          .policy = Policy(3, 0)};
}

CatalogueModel catalogued_machine() {
  return {.name = "machine-replacement",
          .about = "a machine that wears: keep (0) or replace (1)",
          .model = machine_replacement(),
          .gamma = 0.9};
}

CatalogueModel catalogued_random() {
  pcg64 bits(1);
  RandomMdp drawn = random_mdp({.states = 10, .actions = 10, .features = 5}, bits);
  return {.name = "random",
          .about = "ten states, random kernel and costs, five orthonormal features",
          .model = std::move(drawn.model),
          .gamma = 0.9,
          .policy = std::move(drawn.policy),
          .features = std::move(drawn.features)};
}

CatalogueModel catalogued_riverswim() {
  return {.name = "riverswim",
          .about = "six states: swim left (0) with the current or right (1) against it",
          .model = river_swim(),
          .gamma = 0.95,
          .policy = Policy(6, 1)};
}

using Entry = std::pair<std::string_view, CatalogueModel (*)()>;
constexpr std::array<Entry, 6> catalogue = {{{"boyan", &catalogued_boyan},
                                             {"counterexample", &catalogued_counterexample},
                                             {"forest", &catalogued_forest},
                                             {"machine-replacement", &catalogued_machine},
                                             {"random", &catalogued_random},
                                             {"riverswim", &catalogued_riverswim}}};

}  // namespace

std::vector<std::string_view> catalogue_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : catalogue) names.push_back(entry.first);
  return names;
}

CatalogueModel catalogue_model(std::string_view name) {
  for (const auto& [known, make] : catalogue) {
    if (known == name) return make();
  }
  throw InvalidInput(
      fmt::format("no library model '{}'; accepted: {}", name, fmt::join(catalogue_names(), ", ")));
}

}  // namespace shortfall::library
