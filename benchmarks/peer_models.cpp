#include "benchmarks/peer_models.hpp"

#include <string>

#include "benchmarks/peer_structures.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr PeerModel all_peer_models[] = {
    {"wide-random", "6 actions, 100 successors among all states", structures::wide_random},
    {"wide-nearby", "6 actions, 100 successors within 100", structures::wide_nearby},
    {"narrow-random", "4 actions, 8 successors among all states", structures::narrow_random},
    {"narrow-nearby", "4 actions, 8 successors within 10", structures::narrow_nearby},
    {"dense", "4 actions, every state a successor", structures::dense},
    {"grid", "4 directions, steps that slip", structures::grid},
    {"queue", "5 rates of service, steps of one", structures::queue},
    {"trap", "a ring with 3 speeds and a trap", structures::ring_with_a_trap},
    {"episodes", "4 actions, every hundredth state terminal", structures::episodes},
    {"uneven", "4 actions, rows of 1 to 5000 outcomes", structures::uneven_rows},
    {"one-action", "1 action, 10 successors within 10", structures::one_action},
    {"periodic", "3 actions, ten classes visited in turn", structures::periodic}};

}  // namespace

std::span<const PeerModel> peer_models() {
  return all_peer_models;
}

const PeerModel& find_peer_model(std::string_view name) {
  std::string names;
  for (const PeerModel& model : all_peer_models) {
    if (model.name == name) return model;
    names += (names.empty() ? "" : ", ") + std::string(model.name);
  }
  throw InvalidInput("unknown model " + std::string(name) + "; accepted: " + names);
}

}  // namespace shortfall::benchmarks
