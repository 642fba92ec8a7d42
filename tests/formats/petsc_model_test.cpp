#include "shortfall/formats/petsc_model.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "shortfall/formats/model_file.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io::petsc_models {
namespace {

/// Appends the bytes of a number from the most significant on.
void put(std::string& bytes, std::uint64_t number, int width) {
  for (int k = width - 1; k >= 0; --k) bytes += static_cast<char>(number >> (8 * k));
}
void put_integers(std::string& bytes, const std::vector<std::int64_t>& numbers, int width = 4) {
  for (const std::int64_t n : numbers) put(bytes, static_cast<std::uint64_t>(n), width);
}
void put_doubles(std::string& bytes, const std::vector<double>& numbers) {
  for (const double x : numbers) put(bytes, std::bit_cast<std::uint64_t>(x), 8);
}

/// Two states, two actions; in state 1, action 1 leads anywhere.
const std::vector<std::int64_t> row_lengths = {1, 2, 1, 2};
const std::vector<std::int64_t> columns = {0, 0, 1, 1, 1, 0};
const std::vector<double> probabilities = {1.0, 0.25, 0.75, 1.0, 0.5, 0.5};

std::string transitions(int width = 4) {
  std::string bytes;
  put_integers(bytes, {1211216, 4, 2, 6}, width);
  put_integers(bytes, row_lengths, width);
  put_integers(bytes, columns, width);
  put_doubles(bytes, probabilities);
  return bytes;
}

/// 7 and -3 in state 0; 0, which is left out, and 2 in state 1.
std::string sparse_costs(int width = 4) {
  std::string bytes;
  put_integers(bytes, {1211216, 2, 2, 3}, width);
  put_integers(bytes, {2, 1}, width);
  put_integers(bytes, {0, 1, 1}, width);
  put_doubles(bytes, {7.0, -3.0, 2.0});
  return bytes;
}

std::string dense_costs() {
  std::string bytes;
  put_integers(bytes, {1211216, 2, 2, -1});
  put_doubles(bytes, {7.0, -3.0, 0.0, 2.0});
  return bytes;
}

std::string vector_costs() {
  std::string bytes;
  put_integers(bytes, {1211214, 4});
  put_doubles(bytes, {7.0, -3.0, 0.0, 2.0});
  return bytes;
}

class PetscModel : public FileTest {
 protected:
  LoadedModel read(const std::string& p, const std::string& g, Sense sense = Sense::cost) {
    return read_petsc_model({file(p, "P.bin"), file(g, "g.bin"), sense});
  }

  void expect_bad(const std::string& p, const std::string& g,
                  std::initializer_list<std::string_view> parts) {
    expect_rejected([&] { read(p, g); }, parts);
  }
};

void expect_known(const LoadedModel& loaded) {
  const Mdp& model = loaded.model;
  EXPECT_EQ(model.state_begin(), (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(model.actions_of_rows(), (std::vector<ActionIndex>{0, 1, 0, 1}));
  EXPECT_EQ(model.outcomes().row_begin, (std::vector<std::size_t>{0, 1, 3, 4, 6}));
  EXPECT_EQ(model.outcomes().next, (std::vector<StateIndex>{0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(model.outcomes().probability, (std::vector{1.0, 0.25, 0.75, 1.0, 0.5, 0.5}));
  EXPECT_EQ(model.outcomes().cost, (std::vector{7.0, -3.0, -3.0, 0.0, 2.0, 2.0}));
  EXPECT_EQ(model.state_base(), 0u);
}

TEST_F(PetscModel, HasTheRowsOfTheMatricesInTheOrderOfStatesAndActions) {
  for (const std::string& costs : {sparse_costs(), dense_costs(), vector_costs()}) {
    expect_known(read(transitions(), costs));
  }
}

TEST_F(PetscModel, MayHaveIntegersOf64Bits) {
  expect_known(read(transitions(8), sparse_costs(8)));
  expect_known(read(transitions(8), dense_costs()));
}

TEST_F(PetscModel, MayHaveDenseTransitions) {
  std::string dense;
  put_integers(dense, {1211216, 4, 2, -1});
  put_doubles(dense, {1.0, 0.0, 0.25, 0.75, 0.0, 1.0, 0.5, 0.5});
  expect_known(read(dense, sparse_costs()));
}

TEST_F(PetscModel, WithRewardsHasTheirNegativesAsCosts) {
  const LoadedModel loaded = read(transitions(), dense_costs(), Sense::reward);
  EXPECT_EQ(loaded.sense, Sense::reward);
  EXPECT_EQ(loaded.model.outcomes().cost, (std::vector{-7.0, 3.0, 3.0, 0.0, -2.0, -2.0}));
}

TEST_F(PetscModel, LacksTheActionsWhoseRowsAreEmptyOrZero) {
  std::string bytes;
  put_integers(bytes, {1211216, 4, 2, 3});
  put_integers(bytes, {0, 1, 1, 1});
  put_integers(bytes, {1, 0, 0});
  put_doubles(bytes, {1.0, 0.0, 1.0});
  const Mdp model = read(bytes, dense_costs()).model;
  EXPECT_EQ(model.state_begin(), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(model.actions_of_rows(), (std::vector<ActionIndex>{1, 1}));
  EXPECT_EQ(model.outcomes().cost, (std::vector{-3.0, 2.0}));
}

TEST_F(PetscModel, IsRecognisedByItsFirstNumber) {
  EXPECT_TRUE(is_petsc_matrix(file(transitions())));
  EXPECT_TRUE(is_petsc_matrix(file(transitions(8))));
  EXPECT_FALSE(is_petsc_matrix(file(vector_costs())));
  EXPECT_FALSE(is_petsc_matrix(file("idstatefrom,")));
  EXPECT_FALSE(is_petsc_matrix(file("")));
  EXPECT_FALSE(is_petsc_matrix(path("none")));
}

TEST_F(PetscModel, IsRejectedIfAFileIsSomethingElse) {
  expect_rejected(
      [&] {
        read_petsc_model({path("none"), path("none")});
      },
      {"none: there is no such file", "one matrix in PETSc's binary format"});
  expect_rejected([&] { read_model(file(transitions(), "P.bin")); },
                  {"P.bin: this is a matrix of PETSc", "convert --petsc-costs"});
  expect_bad("idstatefrom,idaction", dense_costs(), {"P.bin", "neither a matrix nor a vector"});
  expect_bad(transitions(), "x", {"g.bin", "1 bytes, too few"});
  expect_bad(transitions(), "", {"g.bin", "0 bytes, too few"});
  expect_bad(vector_costs(), dense_costs(), {"P.bin", "the transitions have 4 rows and 1 columns"});
}

TEST_F(PetscModel, IsRejectedIfTheFileIsTooShortOrTooLong) {
  const std::string p = transitions();
  for (std::size_t size = 0; size < p.size(); ++size) {
    EXPECT_THROW(read(p.substr(0, size), dense_costs()), InvalidInput) << size;
  }
  expect_bad(p + '\0', dense_costs(), {"P.bin", "too few or too many for 4 rows with 6 entries"});
  expect_bad(p, dense_costs() + "12345678", {"g.bin", "too many for 2 rows with all entries"});
}

TEST_F(PetscModel, IsRejectedIfNumbersDoNotFit) {
  const auto with = [](std::size_t offset, std::int64_t number) {
    std::string bytes = transitions();
    std::string replacement;
    put_integers(replacement, {number});
    return bytes.replace(offset, 4, replacement);
  };
  expect_bad(with(4, 0), dense_costs(), {"its number of rows is 0"});
  expect_bad(with(8, -2), dense_costs(), {"its number of columns is -2"});
  expect_bad(with(12, -2), dense_costs(), {"its number of entries is -2"});
  expect_bad(with(12, 2147483647), dense_costs(), {"too few or too many"});
  expect_bad(with(8, 3), dense_costs(), {"the transitions have 4 rows and 3 columns"});
  expect_bad(with(16, -1), dense_costs(), {"row 0 has -1 entries, but 6 are left"});
  expect_bad(with(16, 7), dense_costs(), {"row 0 has 7 entries, but 6 are left"});
  expect_bad(with(16, 0), dense_costs(), {"its rows have 5 entries, but its header says 6"});
  expect_bad(with(32, 2), dense_costs(), {"entry 0 is in column 2 of 2"});
  expect_bad(with(32, -1), dense_costs(), {"entry 0 is in column -1 of 2"});
}

TEST_F(PetscModel, IsRejectedIfItIsNoModel) {
  std::string bytes = transitions();
  std::string half;
  put_doubles(half, {0.5});
  expect_bad(bytes.replace(16 + 16 + 24, 8, half), dense_costs(),
             {"P.bin", "state 0, action 0: probabilities sum to 0.5; accepted: 1"});
  std::string costs = dense_costs();
  std::string infinite;
  put_doubles(infinite, {std::numeric_limits<double>::infinity()});
  expect_bad(transitions(), costs.replace(16, 8, infinite), {"cost inf to state 0"});
  std::string wide;
  put_integers(wide, {1211216, 1, 4, -1});
  put_doubles(wide, {7.0, -3.0, 0.0, 2.0});
  expect_bad(transitions(), wide,
             {"g.bin", "the stage costs have 1 rows and 4 columns", "2 rows and 2 columns"});
}

}  // namespace
}  // namespace shortfall::io::petsc_models
