#pragma once

#include <span>
#include <string_view>

#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/reader.hpp"

/// Readers with a defect each, which the changes of stored inputs must find. They are no readers of
/// the project, and have no stored inputs.
namespace shortfall::fuzz {

struct Planted {
  Reader reader;
  Seeds seeds;
  std::string_view end;  ///< how it ends, as Failure has it; empty: it has no defect
};

std::span<const Planted> planted_readers();

/// Whether each defect is found, and found again with the input alone; says what was found.
bool finds_planted();

}  // namespace shortfall::fuzz
