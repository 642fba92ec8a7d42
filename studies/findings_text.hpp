#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// Findings of a document by verdict.
struct Verdicts {
  int confirmed = 0;
  int refuted = 0;
  int open = 0;
};
Verdicts count_verdicts(const Json& document);

/// The findings of all documents as Markdown, each study with the command that computes it.
std::string markdown_of(const std::vector<Json>& documents);

}  // namespace shortfall::studies
