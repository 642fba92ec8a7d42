#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "shortfall/formats/binary_model.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/binary_model_for_tests.hpp"

namespace shortfall::io::binary_models {
namespace {

/// Numbers at these offsets, by the table in binary_model.hpp.
namespace at {
enum : std::size_t {
  byte_order = 16,
  version = 20,
  sense = 24,
  terminal = 28,
  state_base = 32,
  action_base = 36,
  states = 40,
  rows = 48,
  outcomes = 56,
  longest_row = 64,
  lowest_cost = 72,
  highest_cost = 80,
  least_probability = 88,
  cost_error = 96,
  probability_error = 104,
  index = 112
};
}  // namespace at

class BinaryModelErrors : public FileTest {
 protected:
  BinaryModelErrors() : model(random_model(1, 12, 4)) {
    write_binary_model(path("model.bin"), model, Sense::cost);
    bytes = content(path("model.bin"));
  }

  void expect_bad(const std::string& changed, std::initializer_list<std::string_view> parts) {
    const std::string name = file(changed, "bad.bin");
    expect_rejected([&] { read_binary_model(name); }, {"bad.bin: ", "; accepted: "});
    expect_rejected([&] { read_binary_model(name); }, parts);
  }

  /// With a number that is not accepted, under checksums that fit.
  template <class T>
  void expect_bad_number(std::size_t offset, T number,
                         std::initializer_list<std::string_view> parts) {
    std::string changed = bytes;
    set_number(changed, offset, number);
    expect_bad(resealed(changed), parts);
  }

  Mdp model;
  std::string bytes;
};

TEST_F(BinaryModelErrors, ShowInEveryByteThatChanges) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] ^= static_cast<char>(1 << i % 8);
    const std::string name = file(changed, "bad.bin");
    EXPECT_THROW(read_binary_model(name), InvalidInput) << "byte " << i;
  }
}

TEST_F(BinaryModelErrors, ShowInEveryTruncatedFile) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string name = file(bytes.substr(0, size), "bad.bin");
    EXPECT_THROW(read_binary_model(name), InvalidInput) << size;
  }
  expect_bad(bytes.substr(0, 100), {"it has 100 bytes, and a header alone has 224"});
  expect_bad(bytes.substr(0, bytes.size() - 1), {"fewer than its index says"});
}

TEST_F(BinaryModelErrors, ShowInAFileThatGrows) {
  expect_bad(bytes + '\0', {"more than its index says", "in a file that is not being written"});
}

TEST_F(BinaryModelErrors, SayWhatTheHeaderHas) {
  expect_bad(std::string(300, 'x'), {"this is not a binary model"});
  std::string changed = bytes;
  set_number(changed, at::byte_order, 0x04030201u);
  expect_bad(changed, {"byte order of another kind of machine"});
  changed = bytes;
  set_number(changed, at::version, 2u);
  expect_bad(changed, {"this is version 2 of the format", "version 1"});
  changed = bytes;
  set_number(changed, at::states, std::uint64_t{11});
  expect_bad(changed, {"its header does not match its checksum"});
  changed = bytes;
  changed[224] ^= 1;
  expect_bad(changed, {"its checksums do not match their own checksum"});
  changed = bytes;
  changed.back() ^= 1;
  expect_bad(changed, {"do not match their checksum"});
}

TEST_F(BinaryModelErrors, SayWhichNumberOfTheHeaderNoModelHas) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_bad_number(at::sense, 2u, {"the sense is 2", "0 (costs) or 1 (rewards)"});
  expect_bad_number(at::terminal, 7u, {"the mark of terminal states is 7"});
  expect_bad_number(at::state_base, 2u, {"the base of states is 2"});
  expect_bad_number(at::action_base, -1, {"the base of actions is -1"});
  expect_bad_number(at::states, std::uint64_t{0}, {"the number of states is 0"});
  expect_bad_number(at::states, ~std::uint64_t{0}, {"the number of states is 184467440737"});
  expect_bad_number(at::rows, ~std::uint64_t{0}, {"the number of rows is 184467440737"});
  expect_bad_number(at::outcomes, std::uint64_t{1}, {"the number of outcomes is 1"});
  expect_bad_number(at::longest_row, std::uint64_t{0}, {"the longest row is 0"});
  expect_bad_number(at::lowest_cost, 1.0, {"the lowest cost is 1"});
  expect_bad_number(at::highest_cost, nan, {"the highest cost is nan"});
  expect_bad_number(at::least_probability, 0.0, {"the smallest probability is 0"});
  expect_bad_number(at::cost_error, -1.0, {"the error of costs is -1"});
  expect_bad_number(at::probability_error, 0.0, {"the error of probabilities is 0"});
}

TEST_F(BinaryModelErrors, ShowWhereTheIndexDoesNotFit) {
  std::string changed = bytes;
  set_number(changed, at::states, std::uint64_t{11});
  expect_bad(resealed(changed), {"its index does not fit"});
  changed = bytes;
  set_number(changed, at::rows, std::uint64_t{1} << 47);
  set_number(changed, at::outcomes, std::uint64_t{1} << 48);
  expect_bad(resealed(changed), {"its index does not fit"});
}

TEST_F(BinaryModelErrors, ShowWhereTheHeaderIsNotTrueOfTheRows) {
  expect_bad_number(at::longest_row, model.outcomes().longest_row() + 1, {"the longest row is"});
  expect_bad_number(at::lowest_cost, -1000.0, {"says that the lowest cost is -1000, but it is -"});
  expect_bad_number(at::highest_cost, 1000.0, {"says that the highest cost is 1000, but it is"});
  expect_bad_number(at::least_probability, 1e-9, {"says that the smallest probability is 1e-09"});
  expect_bad_number(at::terminal, model.has_terminal_states() ? 0u : 1u,
                    {"the mark of terminal states is"});
}

TEST_F(BinaryModelErrors, ShowInBeginningsThatDoNotIncrease) {
  const std::size_t state_begin = section_offset(bytes, 0);
  const std::size_t row_begin = section_offset(bytes, 2);
  expect_bad_number(state_begin, std::uint64_t{1}, {"the rows of states begin"});
  expect_bad_number(state_begin + 8 * 3, ~std::uint64_t{0}, {"the rows of states begin"});
  expect_bad_number(state_begin + 8 * model.states(), model.outcomes().rows() + 1,
                    {"the rows of states begin"});
  expect_bad_number(row_begin + 8, ~std::uint64_t{0}, {"the outcomes of rows begin"});
  expect_bad_number(row_begin + 8 * model.outcomes().rows(), model.outcomes().size() - 1,
                    {"the outcomes of rows begin"});
}

TEST_F(BinaryModelErrors, AreTheOnlyResultOfDamageUnlessAModelIsLeft) {
  std::mt19937_64 random(1);
  int models = 0;
  int rejected = 0;
  for (int k = 0; k < 3000; ++k) {
    std::string changed = bytes;
    for (auto edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t i = random() % changed.size();
      const bool in_index = i >= at::index && i < 248;  // resealed() reads there
      if (!in_index) changed[i] = static_cast<char>(random() % 4 == 0 ? 0 : random());
    }
    const std::string name = file(resealed(changed), "bad.bin");
    try {
      const Mdp read = read_binary_model(name).model;
      ++models;
      // What is accepted is a model that build() accepts, too.
      EXPECT_NO_THROW(Mdp::build(GroupedTable{.state_begin = read.state_begin(),
                                              .action = read.actions_of_rows(),
                                              .outcomes = read.outcomes(),
                                              .state_base = read.state_base(),
                                              .action_base = read.action_base()}));
    } catch (const InvalidInput&) {
      ++rejected;
    }
  }
  EXPECT_GT(models, 100);  // costs and actions may change
  EXPECT_GT(rejected, 1000);
}

}  // namespace
}  // namespace shortfall::io::binary_models
