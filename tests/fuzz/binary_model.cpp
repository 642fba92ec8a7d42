#include "shortfall/formats/binary_model.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/seals.hpp"

namespace shortfall::fuzz {
namespace {

void expect_same_from_binary(const io::LoadedModel& loaded) {
  const std::string path = scratch_path();
  io::write_binary_model(path, loaded.model, loaded.sense);
  const io::LoadedModel again = io::read_binary_model(path, {.threads = 1});
  expect(again.sense == loaded.sense && is_same(again.model, loaded.model),
         "a model that is written reads back");
}

/// State by state, which other code reads than the whole.
void expect_slices(const std::string& path, const Mdp& model) {
  const io::BinaryModelFile file(path, {.threads = 1});
  expect(file.facts().states == model.states(), "the header has the number of states");
  for (std::size_t x = 0; x < std::min<std::size_t>(model.states(), 8); ++x) {
    const io::ModelSlice slice = file.read_slice(x, x + 1);
    const std::size_t first = model.state_begin()[x];
    expect(slice.first_row == first, "a slice begins with the first row of its state");
    expect(slice.table.action.size() == model.action_count(x), "a slice has all actions");
    expect(file.outcomes_before(x) == model.outcomes().row_begin[first],
           "outcomes are counted from the first state on");
    for (std::size_t r = 0; r < slice.table.action.size(); ++r) {
      expect(std::ranges::equal(slice.table.outcomes.row(r).cost, model.law(first + r).cost),
             "a slice has the costs of the model");
    }
  }
}

void read_as_binary_model(const std::string& bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  (void)io::is_binary_model(path);
  io::LoadedModel loaded;
  if (!is_accepted(path, [&] { loaded = io::read_binary_model(path, {.threads = 1}); })) return;
  expect_model(loaded.model);
  expect_slices(path, loaded.model);
  expect_same_from_binary(loaded);
}

}  // namespace

void read_binary_model(std::string_view bytes) {
  read_as_binary_model(std::string(bytes));
  read_as_binary_model(resealed_model(bytes));
}

}  // namespace shortfall::fuzz
