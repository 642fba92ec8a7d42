#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "files/atomic_file.hpp"
#include "shortfall/formats/policy_csv.hpp"

namespace shortfall::io {
namespace {

/// Rows of one policy, each preceded by `prefix`.
void write_rows(AtomicFile& file, const Mdp& model, const Policy& policy, std::string_view prefix) {
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.is_terminal(x)) continue;
    file.write(
        fmt::format("{}{},{}\n", prefix, x + model.state_base(), policy[x] + model.action_base()));
  }
}

}  // namespace

void write_policy_csv(const std::string& path, const Mdp& model, const Policy& policy) {
  model.check_policy(policy);
  AtomicFile file(path);
  file.write("idstate,idaction\n");
  write_rows(file, model, policy, "");
  file.commit();
}

void write_staged_policy_csv(const std::string& path, const Mdp& model,
                             std::span<const Policy> policies) {
  for (const Policy& policy : policies) model.check_policy(policy);
  AtomicFile file(path);
  file.write("stage,idstate,idaction\n");
  for (std::size_t t = 1; t <= policies.size(); ++t) {
    write_rows(file, model, policies[t - 1], fmt::format("{},", t));
  }
  file.commit();
}

}  // namespace shortfall::io
