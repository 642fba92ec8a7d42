#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shortfall/formats/binary_model.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/binary_model_for_tests.hpp"

namespace shortfall::io::binary_models {
namespace {

template <class T>
std::vector<T> part(const std::vector<T>& all, std::size_t first, std::size_t last) {
  return {all.begin() + static_cast<std::ptrdiff_t>(first),
          all.begin() + static_cast<std::ptrdiff_t>(last)};
}

std::vector<std::size_t> rebased(std::vector<std::size_t> beginnings) {
  const std::size_t first = beginnings.front();
  for (std::size_t& at : beginnings) at -= first;
  return beginnings;
}

void expect_slice_of(const Mdp& model, const ModelSlice& slice, std::size_t first,
                     std::size_t last) {
  const Outcomes& all = model.outcomes();
  const Outcomes& read = slice.table.outcomes;
  const std::size_t row = model.state_begin()[first];
  const std::size_t row_end = model.state_begin()[last];
  const std::size_t outcome = all.row_begin[row];
  const std::size_t outcome_end = all.row_begin[row_end];
  EXPECT_EQ(slice.first_state, first);
  EXPECT_EQ(slice.first_row, row);
  EXPECT_EQ(slice.first_outcome, outcome);
  EXPECT_EQ(slice.table.state_begin, rebased(part(model.state_begin(), first, last + 1)));
  EXPECT_EQ(slice.table.action, part(model.actions_of_rows(), row, row_end));
  EXPECT_EQ(read.row_begin, rebased(part(all.row_begin, row, row_end + 1)));
  EXPECT_EQ(bits(read.probability), bits(part(all.probability, outcome, outcome_end)));
  EXPECT_EQ(bits(read.cost), bits(part(all.cost, outcome, outcome_end)));
  EXPECT_EQ(read.next, part(all.next, outcome, outcome_end));
  EXPECT_EQ(read.probability_error, all.probability_error);
  EXPECT_EQ(bits(slice.row_costs.expected), bits(part(model.row_costs().expected, row, row_end)));
  EXPECT_EQ(slice.table.state_base, model.state_base());
}

class BinaryModelSlice : public FileTest {
 protected:
  BinaryModelFile written(const Mdp& model) const {
    write_binary_model(path("model.bin"), model, Sense::cost);
    return BinaryModelFile(path("model.bin"));
  }
};

TEST_F(BinaryModelSlice, HasTheRowsOfItsStatesForEveryRange) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Mdp model = random_model(seed, 12, 4);
    const BinaryModelFile file = written(model);
    for (std::size_t first = 0; first <= model.states(); ++first) {
      for (std::size_t last = first; last <= model.states(); ++last) {
        expect_slice_of(model, file.read_slice(first, last), first, last);
      }
    }
  }
}

TEST_F(BinaryModelSlice, HasTheRowsOfItsStatesAcrossBlocks) {
  const Mdp model = random_model(1, 20000, 9);
  const BinaryModelFile file = written(model);
  for (const std::size_t first : {0u, 1u, 7777u, 19999u}) {
    for (const std::size_t last : {7777u, 12000u, 20000u}) {
      if (first <= last) expect_slice_of(model, file.read_slice(first, last), first, last);
    }
  }
}

/// Outcomes arrive in windows of 2^18; a row that is in two of them is checked with the second.
TEST_F(BinaryModelSlice, HasTheRowsOfItsStatesAcrossWindows) {
  const Mdp model = random_model(1, 12000, 60);
  ASSERT_GT(model.outcomes().size(), std::size_t{2} << 18);
  const BinaryModelFile file = written(model);
  for (const std::size_t first : {0u, 5001u}) {
    expect_slice_of(model, file.read_slice(first, 12000), first, 12000);
  }
  const Mdp read = file.read();
  expect_same_bits(read, model);
  EXPECT_EQ(bits(read.row_costs().expected), bits(model.row_costs().expected));
  EXPECT_EQ(read.row_costs().vary, model.row_costs().vary);
}

TEST_F(BinaryModelSlice, KnowsTheOutcomesBeforeAState) {
  const Mdp model = random_model(1, 20000, 9);
  const BinaryModelFile file = written(model);
  for (const std::size_t x : {0u, 1u, 7777u, 20000u}) {
    EXPECT_EQ(file.outcomes_before(x), model.outcomes().row_begin[model.state_begin()[x]]);
  }
}

TEST_F(BinaryModelSlice, IsRejectedOutsideTheModel) {
  const BinaryModelFile file = written(random_model(1, 3, 2));
  expect_rejected([&] { (void)file.read_slice(2, 4); }, {"model.bin", "states 2 to 4", "0 to 3"});
  expect_rejected([&] { (void)file.read_slice(2, 1); }, {"states 2 to 1"});
  expect_rejected([&] { (void)file.outcomes_before(4); }, {"state 4; accepted: at most 3"});
}

TEST_F(BinaryModelSlice, IsCheckedLikeTheWholeAndNamesTheStateOfTheModel) {
  const Mdp model = random_model(1, 12, 4);
  (void)written(model);
  std::string bytes = content(path("model.bin"));
  const std::size_t x = 11;
  ASSERT_FALSE(model.is_terminal(x));
  const std::size_t outcome = model.outcomes().row_begin[model.state_begin()[x]];
  set_number(bytes, section_offset(bytes, 3) + 8 * outcome, -0.5);
  const BinaryModelFile damaged(file(resealed(bytes), "damaged.bin"));
  expect_slice_of(model, damaged.read_slice(0, x), 0, x);
  const std::string state = "state " + std::to_string(x + model.state_base());
  expect_rejected([&] { (void)damaged.read_slice(x, 12); }, {"damaged.bin", state, "-0.5"});
  expect_rejected([&] { (void)damaged.read(); }, {"damaged.bin", state, "-0.5"});
}

TEST_F(BinaryModelSlice, OfAFileThatChangedAfterItWasOpenedIsRejected) {
  const Mdp model = random_model(1, 20000, 9);
  const BinaryModelFile file = written(model);
  std::filesystem::resize_file(path("model.bin"),
                               std::filesystem::file_size(path("model.bin")) / 2);
  expect_rejected([&] { (void)file.read(); }, {"model.bin", "does not change"});
}

}  // namespace
}  // namespace shortfall::io::binary_models
