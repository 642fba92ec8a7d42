#include <fmt/format.h>

#include <cstddef>
#include <string_view>

#include "files/atomic_file.hpp"
#include "formats/distributed_policy.hpp"
#include "shortfall/formats/policy_csv.hpp"

namespace shortfall::io {
namespace {

/// Rows of one policy, each preceded by `prefix`.
void write_rows(AtomicFile& file, const IdBases& bases, const Policy& policy,
                std::string_view prefix) {
  for (std::size_t x = 0; x < policy.size(); ++x) {
    if (policy[x] == no_action) continue;
    file.write(fmt::format("{}{},{}\n", prefix, x + bases.state, policy[x] + bases.action));
  }
}

IdBases bases_of(const Mdp& model) {
  return {.state = model.state_base(), .action = model.action_base()};
}

}  // namespace

void write_policy_rows(const std::string& path, const IdBases& bases, const Policy& policy) {
  AtomicFile file(path);
  file.write("idstate,idaction\n");
  write_rows(file, bases, policy, "");
  file.commit();
}

void write_staged_policy_rows(const std::string& path, const IdBases& bases,
                              std::span<const Policy> policies) {
  AtomicFile file(path);
  file.write("stage,idstate,idaction\n");
  for (std::size_t t = 1; t <= policies.size(); ++t) {
    write_rows(file, bases, policies[t - 1], fmt::format("{},", t));
  }
  file.commit();
}

void write_policy_csv(const std::string& path, const Mdp& model, const Policy& policy) {
  model.check_policy(policy);
  write_policy_rows(path, bases_of(model), policy);
}

void write_staged_policy_csv(const std::string& path, const Mdp& model,
                             std::span<const Policy> policies) {
  for (const Policy& policy : policies) model.check_policy(policy);
  write_staged_policy_rows(path, bases_of(model), policies);
}

}  // namespace shortfall::io
