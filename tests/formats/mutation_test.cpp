#include <random>
#include <string>
#include <string_view>

#include "shortfall/formats/law_csv.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/mutations_for_tests.hpp"
#include "tests/formats/outcome_for_tests.hpp"

/// Files with random faults are either read or refused with a message that names them.
namespace shortfall::io {
namespace {

constexpr int mutants = 2000;

using Random = std::mt19937_64;

/// `text` with a blank before each row: equivalent, but no row takes the fast path.
std::string padded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += ' ';
  }
  return result;
}

/// How many mutants of `text` were read, and how many refused.
struct Tally {
  int read = 0;
  int refused = 0;
};

class Mutation : public FileTest {
 protected:
  template <class Read>
  Tally tally(const std::string& text, const Read& read) {
    Random random(20240607);
    Tally result;
    for (int i = 0; i < mutants; ++i) {
      const std::string mutant = mutated(text, random);
      const std::string name = file(mutant);
      try {
        read(name);
        ++result.read;
      } catch (const InvalidInput& error) {
        ++result.refused;
        EXPECT_THAT(error.what(), ::testing::StartsWith(name)) << mutant;
        EXPECT_THAT(error.what(), ::testing::HasSubstr("; accepted: ")) << mutant;
      }
    }
    return result;
  }
};

const std::string model_text =
    "idstatefrom,idaction,idstateto,probability,cost\n"
    "1,1,2,0.5,3.25\n1,1,1,0.5,-1\n1,2,3,1,1e2\n2,1,1,0.25,0\r\n2,1,\"3\",0.75, 7\n";

TEST_F(Mutation, OfAModelIsReadOrRefused) {
  const Tally result = tally(model_text, [](const std::string& name) {
    read_model_csv(name, {.threads = 1, .chunk_bytes = 20});
  });
  EXPECT_GT(result.read, mutants / 100);
  EXPECT_GT(result.refused, mutants / 2);
}

TEST_F(Mutation, OfAModelReadsTheSameInChunksAndRowByRow) {
  Random random(7);
  for (int i = 0; i < mutants; ++i) {
    const std::string mutant = mutated(model_text, random);
    const std::string whole = outcome_of(file(mutant), {.threads = 1});
    const std::size_t chunk_bytes = 1 + random() % 50;
    ASSERT_EQ(outcome_of(file(mutant), {.threads = 2, .chunk_bytes = chunk_bytes}), whole)
        << mutant;
    ASSERT_EQ(outcome_of(file(padded(mutant)), {.threads = 1}), whole) << mutant;
  }
}

TEST_F(Mutation, OfAPolicyIsReadOrRefused) {
  const Mdp model = read_model_csv(file(model_text)).model;
  const auto read = [&](const std::string& name) { read_policy_csv(name, model); };
  for (const std::string text : {"idstate,idaction\n1,2\n2,1\n",
                                 "idstate,idaction,probability\n1,1,0.25\n1,2,0.75\n2,1,1\n"}) {
    const Tally result = tally(text, read);
    EXPECT_GT(result.read, mutants / 100);
    EXPECT_GT(result.refused, mutants / 2);
  }
}

TEST_F(Mutation, OfALawIsReadOrRefused) {
  const auto read = [](const std::string& name) {
    read_law_csv(name, {.threads = 1, .chunk_bytes = 10});
  };
  for (const std::string text :
       {"1\n2.5\n-3e2\n4\n17\n", "value,probability\n1,0.5\n2.5,0.25\n-3,0.25\n"}) {
    const Tally result = tally(text, read);
    EXPECT_GT(result.read, mutants / 100);
    EXPECT_GT(result.refused, mutants / 10);
  }
}

}  // namespace
}  // namespace shortfall::io
