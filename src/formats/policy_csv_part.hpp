#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "shortfall/errors/error.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::io {

/// Some consecutive states of a model, with their actions.
struct StatesOfModel {
  const Mdp& rows;
  std::size_t first;  ///< the state of the model that is state 0 of `rows`
  std::size_t total;  ///< states of the model
};

/// What a policy file says about them.
struct PolicyPart {
  std::variant<Policy, RandomisedPolicy> policy;
  /// The number and the checksum of the bytes read, which are those of the whole file.
  std::array<std::uint64_t, 2> identity;
};

/// A file that is not a policy. Among the faults that different parts find, the one after the
/// fewest rows is the first in the file; missing rows are found after all others.
class InvalidPolicy : public InvalidInput {
 public:
  InvalidPolicy(const std::string& message, std::size_t rows_before)
      : InvalidInput(message), rows_before_(rows_before) {}
  std::size_t rows_before() const { return rows_before_; }

 private:
  std::size_t rows_before_;
};

/// Reads the whole file, and checks the rows of these states as read_policy_csv() does; of others,
/// only that they can be read and that there is such a state. Throws InvalidPolicy.
PolicyPart read_policy_part(const std::string& path, const StatesOfModel& states);

}  // namespace shortfall::io
