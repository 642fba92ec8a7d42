#include "shortfall/formats/model_csv.hpp"

#include <string>

#include "tests/formats/outcome_for_tests.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

/// A model that is written and read again is the same: it was checked and rescaled before, and
/// numbers are written in full.
void expect_same_again(const io::LoadedModel& loaded) {
  const std::string path = scratch_path();
  io::write_model_csv(path, loaded.model, loaded.sense);
  const io::LoadedModel again = io::read_model_csv(path, {.threads = 1});
  expect(again.sense == loaded.sense, "costs stay costs, and rewards rewards");
  expect_model(again.model);
  expect(again.model.state_begin() == loaded.model.state_begin() &&
             again.model.actions_of_rows() == loaded.model.actions_of_rows() &&
             again.model.outcomes().next == loaded.model.outcomes().next &&
             again.model.outcomes().cost == loaded.model.outcomes().cost,
         "a model that is written reads back", content_of(path));
}

}  // namespace

void read_model_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  io::LoadedModel loaded;
  const bool accepted =
      is_accepted(path, [&] { loaded = io::read_model_csv(path, {.threads = 1}); });
  const std::string whole = io::outcome_of(path, {.threads = 1});
  for (const std::size_t chunk_bytes : {1u, 13u}) {
    const std::string parts = io::outcome_of(path, {.threads = 1, .chunk_bytes = chunk_bytes});
    expect(parts == whole, "chunks do not change what is read", parts + "\n" + whole);
  }
  if (const auto padded = with_blanks(bytes)) {
    const MemoryFile slow(*padded);
    std::string slowly = io::outcome_of(slow.path(), {.threads = 1});
    if (slowly.starts_with(slow.path())) slowly.replace(0, slow.path().size(), path);
    expect(slowly == whole, "rows on the fast path read the same", slowly + "\n" + whole);
  }
  if (!accepted) return;
  expect_model(loaded.model);
  expect_same_again(loaded);
}

}  // namespace shortfall::fuzz
