#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/read_options.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Models as binary files, which are read without parsing, as a whole or in parts.
///
/// A file has the arrays of an `Mdp` as they are in memory: checked, grouped, sorted and rescaled.
/// So a model that is read has the same bits as the one that was written, and results have the same
/// bytes as those from the CSV that it was converted from. Numbers are in the byte order of the
/// machine that wrote it; on one with the other order the file is rejected.
///
///     offset  type        contents
///          0  16 bytes    magic: 89 "SHORTFALL-MDP" 0D 0A, which no text file begins with
///         16  uint32      byte order: 0x01020304
///         20  uint32      version: 1
///         24  uint32      sense: 0 costs, 1 rewards (costs are stored for both)
///         28  uint32      whether there are terminal states: 0 or 1
///         32  uint32      base of state ids: 0 or 1
///         36  int32       base of action ids: 0 or 1
///         40  uint64 × 4  number of states, rows, outcomes; outcomes of the longest row
///         72  double × 5  lowest cost (at most 0), highest cost (at least 0), least probability,
///                         error of costs (absolute), error of probabilities (relative)
///        112  (uint64, uint64) × 6   the index: offset and bytes of each section
///        208  uint64      number of checksums
///        216  uint32      CRC-32 of the checksums
///        220  uint32      CRC-32 of the header up to here
///        224  uint32 × …  checksums: the CRC-32 of every 256 KiB of each section, in order
///
/// and then, each at a multiple of 8 bytes with zeros before it, the sections
///
///     state_begin  uint64 × (states + 1)   rows of state x: state_begin[x] up to state_begin[x+1]
///     action       int32 × rows            of each row, from 0, increasing within a state
///     row_begin    uint64 × (rows + 1)     outcomes of row r: row_begin[r] up to row_begin[r+1]
///     probability  double × outcomes       in (0, 1], each row sums to one (rescaled_tolerance)
///     cost         double × outcomes       finite
///     next         uint32 × outcomes       next states, from 0, not decreasing within a row
///
/// Everything is checked when it is read, as if the checksums had not been: a file may come from
/// anywhere.
namespace shortfall::io {

inline constexpr std::uint32_t binary_model_version = 1;

/// What the header says about the model as a whole, which a part of it does not show.
struct ModelFacts {
  Sense sense = Sense::cost;
  StateIndex state_base = 0;
  ActionIndex action_base = 0;
  std::uint64_t states = 0;
  std::uint64_t rows = 0;  ///< pairs of a state and an action
  std::uint64_t outcomes = 0;
  std::uint64_t longest_row = 0;   ///< outcomes of the row that has most
  double lowest_cost = 0.0;        ///< RowCosts::lowest
  double highest_cost = 0.0;       ///< RowCosts::highest
  double least_probability = 1.0;  ///< RowCosts::least_probability
  double cost_error = 0.0;         ///< Outcomes::cost_error
  double probability_error = 0.0;  ///< Outcomes::probability_error
  bool has_terminal_states = false;

  static ModelFacts of(const Mdp& model, Sense sense);
};

/// The rows of the states [first_state, first_state + table.state_begin.size() - 1). Rows and
/// outcomes count from 0 within the slice; `next` counts all states of the model.
struct ModelSlice {
  std::size_t first_state = 0;
  std::uint64_t first_row = 0;      ///< of the slice, among the rows of the model
  std::uint64_t first_outcome = 0;  ///< likewise
  GroupedTable table;
  RowCosts row_costs;
};

/// An open binary model, of which any states can be read. Each read takes time and memory for its
/// part only. Immutable, so that several threads may read at a time.
class BinaryModelFile {
 public:
  /// Reads and checks the header. Throws InvalidInput, which names the file and what is wrong: not
  /// a binary model, another version or byte order, damaged, truncated, longer than its index says.
  explicit BinaryModelFile(const std::string& path, const ReadOptions& options = {});
  ~BinaryModelFile();
  BinaryModelFile(BinaryModelFile&&) noexcept;
  BinaryModelFile& operator=(BinaryModelFile&&) noexcept;

  const std::string& name() const;
  const ModelFacts& facts() const;

  /// The whole model. Throws InvalidInput unless it is one, and as the header says.
  Mdp read() const;

  /// The rows of states first ≤ x < last, with the same checks. Throws InvalidInput if there are no
  /// such states, too.
  ModelSlice read_slice(std::size_t first, std::size_t last) const;

  /// Outcomes of all states before this one.
  std::uint64_t outcomes_before(std::size_t state) const;

 private:
  struct Open;
  std::unique_ptr<Open> open_;
};

/// Whether `path` is a regular file that begins like a binary model. False for what cannot be read.
bool is_binary_model(const std::string& path);

/// Throws InvalidInput, like BinaryModelFile.
LoadedModel read_binary_model(const std::string& path, const ReadOptions& options = {});

/// Writes a file that appears complete or not at all. Throws OutputError.
void write_binary_model(const std::string& path, const Mdp& model, Sense sense);

}  // namespace shortfall::io
