// Several ranks read, of a policy's file, what one process reads, and say of a bad one what it
// says.
#include "formats/distributed_policy.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "shortfall/formats/policy_csv.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::io::distributed_policies {
namespace {

using detail::Communicator;
using detail::DistributedModel;
using shortfall::testing::run_ranks;

constexpr std::size_t states = 300;  // in blocks of 64: ranks have different numbers of them

bool is_terminal(std::size_t x) {
  return x % 10 == 7;
}

/// State x has the actions x mod 3 and 3, with ids from 1 on.
Mdp two_actions() {
  TransitionTable table;
  table.state_base = 1;
  table.action_base = 1;
  for (std::size_t x = 0; x < states; ++x) {
    if (is_terminal(x)) continue;
    const auto from = static_cast<StateIndex>(x);
    for (const auto a : {static_cast<ActionIndex>(x % 3), ActionIndex{3}}) {
      table.add(from, a, (from + 1) % states, Probability(1.0), 2.0);
    }
  }
  return Mdp::build(table);
}

/// A line for each state, by state, "" where it is terminal.
std::vector<std::string> lines_of(bool randomised) {
  std::vector<std::string> lines(states);
  for (std::size_t x = 0; x < states; ++x) {
    if (is_terminal(x)) continue;
    const std::size_t a = x % 3 + 1;
    lines[x] = randomised ? fmt::format("{0},{1},0.25\n{0},4,0.75\n", x + 1, a)
                          : fmt::format("{},{}\n", x + 1, x % 2 == 0 ? a : 4);
  }
  return lines;
}

std::string text_of(bool randomised, const std::vector<std::string>& lines) {
  std::string text = randomised ? "idstate,idaction,probability\n" : "idstate,idaction\n";
  for (const std::string& line : lines) text += line;
  return text;
}

class DistributedPolicies : public FileTest {
 protected:
  const Mdp model = two_actions();

  /// The messages of all ranks.
  std::set<std::string> messages_of(std::size_t count, const std::string& path) {
    std::vector<std::string> messages(count);
    run_ranks(count, [&](Communicator& ranks) {
      const DistributedModel part = DistributedModel::cut(ranks, model);
      try {
        (void)read_distributed_policy(path, part.rows(), part.partition());
      } catch (const InvalidInput& error) {
        messages[ranks.rank()] = error.what();
      }
    });
    return {messages.begin(), messages.end()};
  }
};

TEST_F(DistributedPolicies, AreReadInParts) {
  for (const bool randomised : {false, true}) {
    std::vector<std::string> lines = lines_of(randomised);
    std::swap(lines[3], lines[250]);  // rows may be in any order
    const std::string path = file(text_of(randomised, lines));
    const auto whole = read_policy_csv(path, model);
    for (const std::size_t count : {1u, 2u, 3u, 7u}) {
      run_ranks(count, [&](Communicator& ranks) {
        const DistributedModel own = DistributedModel::cut(ranks, model);
        const PolicyPart part = read_distributed_policy(path, own.rows(), own.partition());
        EXPECT_EQ(ranks.gather_one(part.identity), std::vector(count, part.identity));
        if (randomised) {
          const auto& weight = std::get<RandomisedPolicy>(part.policy).weight;
          const auto all = ranks.gather_on_first<double>(weight);
          if (ranks.rank() == 0) {
            EXPECT_EQ(all, std::get<RandomisedPolicy>(whole).weight);
          }
        } else {
          const auto all = ranks.gather_on_first<ActionIndex>(std::get<Policy>(part.policy));
          if (ranks.rank() == 0) {
            EXPECT_EQ(all, std::get<Policy>(whole));
          }
        }
      });
    }
  }
}

TEST_F(DistributedPolicies, AreTheSameOnlyIfAllBytesAre) {
  const StatesOfModel all{model, 0, states};
  const auto identity_of = [&](const std::vector<std::string>& lines) {
    return read_policy_part(file(text_of(false, lines)), all).identity;
  };
  const std::vector<std::string> lines = lines_of(false);
  EXPECT_EQ(identity_of(lines), identity_of(lines));
  std::vector<std::string> other = lines;
  ASSERT_EQ(other[299], "300,4\n");
  other[299] = "300,3\n";
  EXPECT_NE(identity_of(lines), identity_of(other));
  std::vector<std::string> swapped = lines;
  std::swap(swapped[0], swapped[1]);
  EXPECT_NE(identity_of(lines), identity_of(swapped));
}

/// Faults of different states, which different ranks find: the first in the file counts.
TEST_F(DistributedPolicies, AreRefusedInTheWordsOfOneProcess) {
  const auto changed = [](bool randomised, std::size_t x, const std::string& line) {
    std::vector<std::string> lines = lines_of(randomised);
    lines[x] = line;
    return lines;
  };
  std::vector<std::string> texts;
  for (const std::size_t x : {2u, 155u, 299u}) {
    for (const std::string& line :
         {std::string(), fmt::format("{},9\n", x + 1), std::string("8,1\n"), std::string("0,1\n"),
          std::string("301,1\n"), fmt::format("{},one\n", x + 1), std::string("1,1\n"),
          std::string("\n"), fmt::format("{0},4\n{0},4\n", x + 1)}) {
      texts.push_back(text_of(false, changed(false, x, line)));
    }
    for (const std::string& line :
         {std::string(), fmt::format("{},4,0.5\n", x + 1), fmt::format("{},4,2\n", x + 1),
          fmt::format("{0},4,0.5\n{0},4,0.5\n", x + 1)}) {
      texts.push_back(text_of(true, changed(true, x, line)));
    }
  }
  for (const auto& [first, second] :
       {std::pair{"290,9\n", "3,9\n"}, std::pair{"3,9\n", "290,9\n"}, std::pair{"290,9\n", "x\n"},
        std::pair{"", "290,9\n"}, std::pair{"290,9\n", ""}}) {
    std::vector<std::string> lines = lines_of(false);
    lines[2] = first;
    lines[200] = second;
    texts.push_back(text_of(false, lines));
  }
  texts.insert(texts.end(), {"idstate\n", "idstate,idaction\n", "1,1\n"});
  for (const std::string& text : texts) {
    const std::string path = file(text);
    std::string expected;
    try {
      (void)read_policy_csv(path, model);
    } catch (const InvalidInput& error) {
      expected = error.what();
    }
    ASSERT_NE(expected, "") << text;
    for (const std::size_t count : {1u, 2u, 5u}) {
      EXPECT_EQ(messages_of(count, path), std::set{expected}) << text;
    }
  }
  EXPECT_THAT(messages_of(3, "missing.csv"),
              ::testing::ElementsAre(::testing::HasSubstr("missing.csv")));
}

}  // namespace
}  // namespace shortfall::io::distributed_policies
