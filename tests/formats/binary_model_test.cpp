#include "shortfall/formats/binary_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/model_file.hpp"
#include "shortfall/mdp/library.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/binary_model_for_tests.hpp"

namespace shortfall::io::binary_models {
namespace {

class BinaryModel : public FileTest {
 protected:
  std::string written(const Mdp& model, Sense sense = Sense::cost) const {
    write_binary_model(path("model.bin"), model, sense);
    return path("model.bin");
  }
};

TEST_F(BinaryModel, OfEveryLibraryModelIsReadBackBitForBit) {
  for (const auto& [name, model] : library::small_models()) {
    SCOPED_TRACE(name);
    expect_same_bits(read_binary_model(written(model)).model, model);
  }
}

TEST_F(BinaryModel, OfRandomModelsIsReadBackBitForBitOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Mdp model = random_model(seed, 1 + static_cast<StateIndex>(seed % 40), 6);
    const std::string file = written(model);
    for (const int threads : {1, 2}) {
      expect_same_bits(read_binary_model(file, {.threads = threads}).model, model);
    }
  }
}

TEST_F(BinaryModel, OfManyBlocksIsReadBackBitForBit) {
  const Mdp model = random_model(1, 20000, 9);
  ASSERT_GT(model.outcomes().size() * sizeof(double), 4 * (std::size_t{256} << 10));
  expect_same_bits(read_binary_model(written(model)).model, model);
}

TEST_F(BinaryModel, KeepsTheSense) {
  const Mdp model = random_model(1, 5, 3);
  EXPECT_EQ(read_binary_model(written(model, Sense::cost)).sense, Sense::cost);
  EXPECT_EQ(read_binary_model(written(model, Sense::reward)).sense, Sense::reward);
}

TEST_F(BinaryModel, HasTheFactsOfItsModelInTheHeader) {
  const Mdp model = Mdp::build(GroupedTable{.state_begin = {0, 2, 3, 3},
                                            .action = {0, 2, 1},
                                            .outcomes = {.row_begin = {0, 2, 3, 5},
                                                         .probability = {0.5, 0.5, 1.0, 0.25, 0.75},
                                                         .cost = {1.0, -2.0, 3.0, 4.0, 5.0},
                                                         .next = {1, 0, 2, 0, 1}},
                                            .state_base = 1,
                                            .action_base = 1});
  const BinaryModelFile file(written(model, Sense::reward));
  const ModelFacts& facts = file.facts();
  EXPECT_EQ(facts.sense, Sense::reward);
  EXPECT_EQ(facts.state_base, 1u);
  EXPECT_EQ(facts.action_base, 1);
  EXPECT_EQ(facts.states, 3u);
  EXPECT_EQ(facts.rows, 3u);
  EXPECT_EQ(facts.outcomes, 5u);
  EXPECT_EQ(facts.longest_row, 2u);
  EXPECT_EQ(facts.lowest_cost, -2.0);
  EXPECT_EQ(facts.highest_cost, 5.0);
  EXPECT_EQ(facts.least_probability, 0.25);
  EXPECT_EQ(facts.cost_error, 0.0);
  EXPECT_EQ(facts.probability_error, 0x1p-53);
  EXPECT_TRUE(facts.has_terminal_states);
}

TEST_F(BinaryModel, HasTheLayoutThatTheHeaderFileSays) {
  const std::string bytes = content(written(random_model(3, 4, 2)));
  EXPECT_EQ(bytes.substr(0, 16), "\x89SHORTFALL-MDP\r\n");
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 16), 0x01020304u);
  EXPECT_EQ(number_at<std::uint32_t>(bytes, 20), 1u);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, 40), 4u);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, 208), 6u);
  EXPECT_EQ(section_offset(bytes, 0), 248u);  // after six checksums
  for (std::size_t s = 0; s < 6; ++s) EXPECT_EQ(section_offset(bytes, s) % 8, 0u);
  EXPECT_EQ(number_at<std::uint64_t>(bytes, section_offset(bytes, 0)), 0u);
  EXPECT_EQ(resealed(bytes), bytes);
}

TEST_F(BinaryModel, GivesTheSameBitsOfSolutionsAsTheCsvItWasConvertedFrom) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    write_model_csv(path("model.csv"), random_model(seed, 30, 5), Sense::cost);
    const Mdp from_csv = read_model(path("model.csv")).model;
    const Mdp from_binary = read_model(written(from_csv)).model;
    for (const char* loss : {"mean", "expectile:0.9", "entropic:0.5"}) {
      const Criterion criterion{AnyLoss::parse(loss), 0.95};
      const Solution a = solve(from_csv, criterion);
      const Solution b = solve(from_binary, criterion);
      EXPECT_EQ(bits(a.values), bits(b.values));
      EXPECT_EQ(a.policy, b.policy);
      EXPECT_EQ(a.error_bound, b.error_bound);
    }
  }
}

TEST_F(BinaryModel, IsRecognisedByItsContentWhateverItsName) {
  const std::string binary = written(random_model(1, 5, 3));
  std::filesystem::rename(binary, path("model.csv"));
  EXPECT_TRUE(is_binary_model(path("model.csv")));
  EXPECT_FALSE(is_binary_model(file("idstatefrom", "model.bin")));
  EXPECT_TRUE(is_binary_model(file("\x89SHORTFALL-MDP\n", "as_text.bin")));
  EXPECT_FALSE(is_binary_model(path("none")));
  EXPECT_FALSE(is_binary_model(directory));
  EXPECT_FALSE(is_binary_model(file("")));
  EXPECT_FALSE(is_binary_model("-"));
}

TEST_F(BinaryModel, CannotBeWrittenWhereAFileCannotBe) {
  const Mdp model = random_model(1, 5, 3);
  EXPECT_THROW(write_binary_model("/dev/full", model, Sense::cost), std::runtime_error);
  EXPECT_THROW(write_binary_model(path("none/model.bin"), model, Sense::cost), std::runtime_error);
  EXPECT_EQ(file_count(), 0u);
}

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
