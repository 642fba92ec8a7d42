#include <cmath>
#include <string>
#include <variant>

#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "shortfall/mdp/chain.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {

void read_policy_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  const Mdp& model = small_model();
  std::variant<Policy, RandomisedPolicy> policy;
  if (!is_accepted(path, [&] { policy = io::read_policy_csv(path, model); })) return;
  if (const auto* randomised = std::get_if<RandomisedPolicy>(&policy)) {
    (void)under_policy(model, *randomised, InducedCost::mixture);  // throws unless weights fit
    return;
  }
  const Policy& actions = std::get<Policy>(policy);
  model.check_policy(actions);
  const std::string copy = scratch_path();
  io::write_policy_csv(copy, model, actions);
  expect(std::get<Policy>(io::read_policy_csv(copy, model)) == actions,
         "a policy that is written reads back");
}

void read_order_policy_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  const inventory::Model& model = small_inventory().model;
  Policy orders;
  if (!is_accepted(path, [&] { orders = io::read_order_policy_csv(path, model); })) return;
  model.check_orders(orders);
  const std::string copy = scratch_path();
  io::write_order_policy_csv(copy, model, orders);
  expect(io::read_order_policy_csv(copy, model) == orders, "orders that are written read back");
}

}  // namespace shortfall::fuzz
