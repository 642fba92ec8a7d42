#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/option_style.hpp"

/// A solved plan as a file: solve once, ask every morning. The file holds the numbers of the plan,
/// all that determines the answer, next to the optimal values and orders of all stocks: a file of
/// another plan cannot be mistaken for that of this one. It is binary and little-endian, begins
/// with the line "shortfall inventory solution" and a version, ends with a CRC-32 of everything
/// before, and takes 12 bytes per state.
namespace shortfall::io {

/// Writes a temporary file that is flushed to the disk and renamed. Throws OutputError if it cannot
/// be written, and InvalidInput for a solution of another model or without success, and for a loss
/// that is a function: what it computes cannot be compared later.
void write_solution(const std::string& path, const InventoryConfiguration& plan,
                    const Solution& solution);

/// The solution of a plan: values, orders, status, error bound and iterations. Throws InvalidInput
///
/// - if the file is missing, is not such a file, has another version, is truncated or damaged;
/// - if the plan has changed: "cost.order: 10 when solved, 12 now", at most three such changes.
///
/// The probabilities of demand and arrivals may differ in their last digits, as between processors:
/// both are then within the error of the exact ones that the error bound includes.
Solution read_solution(const std::string& path, const InventoryConfiguration& plan,
                       OptionStyle style = OptionStyle::argument);

/// The version of the format; other versions are rejected.
inline constexpr std::uint32_t solution_version = 1;

/// What a file says about itself.
struct SolutionSummary {
  Status status = Status::iteration_limit;
  double error_bound = infinity;
  int iterations = 0;
  std::uint64_t states = 0;
  double value_at_empty = 0.0;  ///< of the first day
  ActionIndex order_at_empty = 0;
  std::vector<std::pair<std::string, std::string>> plan = {};  ///< as in messages about changes
};

/// Reads a file without its plan. Throws InvalidInput as read_solution() does.
SolutionSummary summarise_solution(const std::string& path);

}  // namespace shortfall::io
