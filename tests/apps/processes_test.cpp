// What the processes of a command agree on, with threads as ranks.
#include "apps/shortfall/processes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/command_model.hpp"
#include "files/same_input.hpp"
#include "shortfall/errors/error.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::testing {
namespace processes {

using app::CommandModel;
using app::FailedElsewhere;
using app::Processes;
using ::testing::HasSubstr;

TEST(Processes, ShareTheFailureOfOne) {
  std::atomic<int> failed_here = 0;
  std::atomic<int> failed_elsewhere = 0;
  run_ranks(4, [&](detail::Communicator& ranks) {
    const Processes processes(ranks, 1);
    EXPECT_EQ(processes.together([&] { return ranks.rank() * 2; }), ranks.rank() * 2);
    try {
      processes.together([&] {
        if (ranks.rank() == 2) throw InvalidInput("bad");
      });
    } catch (const InvalidInput&) {
      EXPECT_EQ(ranks.rank(), 2);
      ++failed_here;
    } catch (const FailedElsewhere&) {
      ++failed_elsewhere;
    }
  });
  EXPECT_EQ(failed_here, 1);
  EXPECT_EQ(failed_elsewhere, 3);
}

TEST(Processes, LeaveOutputToTheFirst) {
  std::atomic<int> written = 0;
  std::atomic<int> reported = 0;
  run_ranks(3, [&](detail::Communicator& ranks) {
    const Processes processes(ranks, 1);
    processes.on_first([&] { ++written; });
    if (processes.is_to_report()) ++reported;
    EXPECT_EQ(processes.is_first(), ranks.rank() == 0);
  });
  EXPECT_EQ(written, 1);
  EXPECT_EQ(reported, 1);
}

TEST(Processes, RefuseFilesThatDiffer) {
  std::atomic<int> refused = 0;
  run_ranks(3, [&](detail::Communicator& ranks) {
    const Processes processes(ranks, 1);
    const std::string same = "contents";
    EXPECT_NO_THROW(io::check_same(std::as_bytes(std::span(same)), "file", ranks));
    for (const std::string& other : {std::string("kontents"), std::string("contents ")}) {
      const std::string& mine = ranks.rank() == 1 ? other : same;
      try {
        io::check_same(std::as_bytes(std::span(mine)), "file", ranks);
      } catch (const InvalidInput& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("file: rank 1 has read different contents from rank 0"));
        ++refused;
      }
    }
  });
  EXPECT_EQ(refused, 6);
}

TEST(Processes, AreInTheDocumentIfThereCouldBeSeveral) {
  nlohmann::json alone = nlohmann::json::object();
  Processes().add_to(alone);
  EXPECT_TRUE(alone.empty());
  nlohmann::json ranks = nlohmann::json::object();
  Processes(detail::one_process(), 1).add_to(ranks);
  EXPECT_EQ(ranks["ranks"], 1);
}

/// 200 states, every fifth one terminal, others with one to three actions and costs of their own.
Mdp uneven_model() {
  TransitionTable table;
  table.state_base = 1;
  for (StateIndex x = 0; x < 200; ++x) {
    for (ActionIndex a = 0; x % 5 != 2 && a <= static_cast<ActionIndex>(x % 3); ++a) {
      table.add(x, a, (x * 7 + 3) % 200, Probability(0.25), a);
      table.add(x, a, (x + 1) % 200, Probability(0.75), 1.0);
    }
  }
  return Mdp::build(table);
}

TEST(CommandModel, KnowsTheSizesOfTheWhole) {
  const Mdp model = uneven_model();
  for (const std::size_t size : {1u, 2u, 3u, 5u}) {
    run_ranks(size, [&](detail::Communicator& ranks) {
      const CommandModel divided(
          io::LoadedPart{detail::DistributedModel::cut(ranks, model), io::Sense::cost});
      EXPECT_EQ(divided.states(), model.states());
      EXPECT_EQ(divided.pairs(), model.outcomes().rows());
      EXPECT_EQ(divided.outcomes(), model.outcomes().size());
      const app::ModelIds ids = divided.ids();
      EXPECT_EQ(ids.state_base, model.state_base());
      EXPECT_EQ(ids.states, model.states());
      EXPECT_EQ(ids.action_base, model.action_base());
      EXPECT_EQ(ids.actions, 3);
    });
  }
}

TEST(CommandModel, GathersPoliciesOnTheFirstProcess) {
  const Mdp model = uneven_model();
  Policy policy(model.states(), no_action);
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (!model.is_terminal(x)) policy[x] = static_cast<ActionIndex>(x % 7 % model.action_count(x));
  }
  run_ranks(5, [&](detail::Communicator& ranks) {
    const CommandModel divided(
        io::LoadedPart{detail::DistributedModel::cut(ranks, model), io::Sense::cost});
    const detail::Partition& partition = *divided.division();
    const auto begin = policy.begin() + static_cast<std::ptrdiff_t>(partition.first());
    const Policy own(begin, begin + static_cast<std::ptrdiff_t>(partition.states()));
    const bool is_first = ranks.rank() == 0;
    EXPECT_EQ(divided.whole(own), is_first ? policy : Policy());
    Solution solution;
    solution.values.assign(own.size(), 1.0);
    solution.policy = own;
    solution.iterations = 3;
    const Solution whole = divided.whole(solution);
    EXPECT_EQ(whole.policy, is_first ? policy : Policy());
    EXPECT_EQ(whole.values, std::vector<double>(is_first ? model.states() : 0, 1.0));
    EXPECT_EQ(whole.iterations, 3);
  });
}

}  // namespace processes
}  // namespace shortfall::testing
