#pragma once

#include <string>
#include <utility>
#include <vector>

#include "case.hpp"
#include "command.hpp"
#include "judge.hpp"

namespace oracle {

/// A document that the command printed: a claim, or the reason why there is none.
struct Document {
  Claim claim;
  std::string refusal;  ///< empty if there is a claim
  std::string status;
  std::string name;                                         ///< which one, if there are several
  std::vector<std::pair<std::size_t, std::size_t>> levels;  ///< see Evidence
};

/// The documents of a run, one for each problem of the case.
std::vector<Document> documents_of(const Case& drawn, const Run& run);

}  // namespace oracle
