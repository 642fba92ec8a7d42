#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "errors/require.hpp"
#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "files/input_file.hpp"
#include "formats/binary_model_sections.hpp"
#include "mdp/distributed_model.hpp"
#include "mdp/grouped_checks.hpp"
#include "memory/zeroed_array.hpp"
#include "parallel/threads.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall::io {
namespace {

enum class Extent { slice, whole };

template <class T>
void allocate(std::vector<T>& entries, std::uint64_t count) {
  detail::reserve(entries, static_cast<std::size_t>(count));
  entries.resize(static_cast<std::size_t>(count));
}

/// Outcomes are read and checked window by window, so that they are still in a cache when they are
/// checked; the same holds for the zeros with which a vector is first filled. Windows end where
/// blocks of all sections do.
void read_outcomes(const BinaryModelSections& file, ModelSlice& slice) {
  constexpr std::size_t outcomes_per_block = checked_block_bytes / sizeof(StateIndex);
  constexpr std::size_t window = 4 * outcomes_per_block;
  Outcomes& outcomes = slice.table.outcomes;
  const std::size_t count = outcomes.row_begin.back();
  constexpr double bytes_per_outcome = 2 * sizeof(double) + sizeof(StateIndex);
  check_memory(bytes_per_outcome * static_cast<double>(count), file.name() + ": reading it",
               "a smaller model, or more memory");
  detail::reserve(outcomes.probability, count);
  detail::reserve(outcomes.cost, count);
  detail::reserve(outcomes.next, count);
  outcomes.cost_error = file.facts().cost_error;
  outcomes.probability_error = file.facts().probability_error;
  detail::RestoredRows rows(slice.table, file.facts().states);
  for (std::size_t begin = 0; begin < count;) {
    const std::uint64_t at = slice.first_outcome + begin;
    const std::size_t end = std::min(count, begin + window - at % outcomes_per_block);
    const auto read = [&](std::size_t section, auto& entries) {
      file.read(section, at, std::span(entries).subspan(begin));
    };
    detail::parallel_invoke({[&] { outcomes.probability.resize(end); },
                             [&] { outcomes.cost.resize(end); },
                             [&] { outcomes.next.resize(end); }});
    read(section::probability, outcomes.probability);
    read(section::cost, outcomes.cost);
    read(section::next, outcomes.next);
    rows.see(end);
    begin = end;
  }
  rows.see(count);
  detail::check_shape({slice.table, slice.first_state});
  slice.row_costs = rows.finish(slice.first_state);
}

/// The rows of states first ≤ x < last.
ModelSlice read_rows(const BinaryModelSections& file, std::size_t first, std::size_t last) {
  ModelSlice slice;
  slice.first_state = first;
  GroupedTable& table = slice.table;
  table.state_base = file.facts().state_base;
  table.action_base = file.facts().action_base;
  allocate(table.state_begin, last - first + 1);
  slice.first_row = file.read_beginnings(section::state_begin, first, table.state_begin);
  const std::size_t rows = table.state_begin.back();
  allocate(table.action, rows);
  file.read(section::action, slice.first_row, std::span(table.action));
  allocate(table.outcomes.row_begin, rows + 1);
  slice.first_outcome =
      file.read_beginnings(section::row_begin, slice.first_row, table.outcomes.row_begin);
  read_outcomes(file, slice);
  return slice;
}

/// What the header says about all rows must hold for these.
struct FactCheck {
  const BinaryModelSections& file;
  Extent extent;

  template <class T>
  void operator()(std::string_view what, T said, T found, bool within) const {
    if (extent == Extent::whole ? said == found : within) return;
    file.fail(fmt::format("its header says that {} is {}, but it is {}", what, said, found));
  }

  void check(const ModelSlice& slice) const {
    const ModelFacts& facts = file.facts();
    const RowCosts& costs = slice.row_costs;
    const std::uint64_t longest = slice.table.outcomes.longest_row();
    (*this)("the length of the longest row", facts.longest_row, longest,
            longest <= facts.longest_row);
    (*this)("the lowest cost", facts.lowest_cost, costs.lowest, costs.lowest >= facts.lowest_cost);
    (*this)("the highest cost", facts.highest_cost, costs.highest,
            costs.highest <= facts.highest_cost);
    (*this)("the smallest probability", facts.least_probability, costs.least_probability,
            costs.least_probability >= facts.least_probability);
    const std::vector<std::size_t>& state_begin = slice.table.state_begin;
    const bool terminal = std::ranges::adjacent_find(state_begin) != state_begin.end();
    (*this)("the mark of terminal states", facts.has_terminal_states, terminal,
            facts.has_terminal_states || !terminal);
  }
};

}  // namespace

struct BinaryModelFile::Open {
  BinaryModelSections file;
  int threads;

  /// Calls read() on the threads asked for; errors get the name of the file.
  template <class Read>
  auto run(const Read& read) const {
    decltype(read()) result{};
    try {
      detail::Workers(threads).run([&] { result = read(); });
    } catch (const InvalidModel& error) {
      throw InvalidInput(fmt::format("{}: {}", file.name(), error.what()));
    }
    return result;
  }
};

BinaryModelFile::BinaryModelFile(const std::string& path, const ReadOptions& options)
    : open_(new Open{BinaryModelSections(path), options.threads}) {}
BinaryModelFile::~BinaryModelFile() = default;
BinaryModelFile::BinaryModelFile(BinaryModelFile&&) noexcept = default;
BinaryModelFile& BinaryModelFile::operator=(BinaryModelFile&&) noexcept = default;

const std::string& BinaryModelFile::name() const {
  return open_->file.name();
}

const ModelFacts& BinaryModelFile::facts() const {
  return open_->file.facts();
}

Mdp BinaryModelFile::read() const {
  return open_->run([&] {
    ModelSlice all = read_rows(open_->file, 0, facts().states);
    FactCheck{open_->file, Extent::whole}.check(all);
    return detail::DistributedModel::restore_rows(std::move(all.table), std::move(all.row_costs));
  });
}

ModelSlice BinaryModelFile::read_slice(std::size_t first, std::size_t last) const {
  require(first <= last && last <= facts().states,
          "{}: states {} to {}; accepted: a range within 0 to {}", name(), first, last,
          facts().states);
  return open_->run([&] {
    ModelSlice slice = read_rows(open_->file, first, last);
    FactCheck{open_->file, Extent::slice}.check(slice);
    return slice;
  });
}

std::uint64_t BinaryModelFile::outcomes_before(std::size_t state) const {
  require(state <= facts().states, "{}: state {}; accepted: at most {}", name(), state,
          facts().states);
  return open_->file.outcomes_before(state);
}

bool is_binary_model(const std::string& path) {
  // Without the line end, which a transfer as text may have changed.
  constexpr std::string_view beginning(binary_model_magic.data(), binary_model_magic.size() - 2);
  return beginning_of(path, beginning.size()) == beginning;
}

LoadedModel read_binary_model(const std::string& path, const ReadOptions& options) {
  const BinaryModelFile file(path, options);
  return {.model = file.read(), .sense = file.facts().sense};
}

}  // namespace shortfall::io
