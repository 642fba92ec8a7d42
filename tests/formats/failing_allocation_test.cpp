// Every allocation of readers, writers, solvers and learners fails once: nothing is lost, neither
// memory, which the address sanitizer counts at the end, nor a file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <string>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/law_csv.hpp"
#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "shortfall/formats/policy_csv.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "tests/counted_allocations.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace failing_allocations {

constexpr auto model_text =
    "idstatefrom,idaction,idstateto,probability,cost\n"
    "0,0,0,0.5,1\n0,0,1,0.5,2\n0,1,1,1,3\n1,0,0,0.25,4\n1,0,2,0.75,1\n1,1,2,1,2.5\n2,0,0,1,0\n";
constexpr auto plan_text =
    "[inventory]\nshelf_life = 3\ncapacity = 3\nmax_order = 2\n"
    "[demand]\ndistribution = \"negative-binomial\"\nn = 2.5\nmean = 1.25\nmax = 4\n"
    "[arrival]\nc0 = [1, 0.5]\nc1 = [-0.2, -0.1]\n"
    "[cost]\norder = 1\nholding = 0.5\nshortage = 6\nwastage = 2\n"
    "[risk]\nloss = \"expectile:0.7\"\ngamma = 0.6\n";

class FailingAllocations : public FileTest {
 protected:
  /// Calls `action` with its first allocation failing, then with its second, and so on until none
  /// is left. Each must be thrown as std::bad_alloc, unless the action did without.
  void survives(const std::string& name, const std::function<void()>& action) {
    SCOPED_TRACE(name);
    action();  // what is made once, is made now
    long failures = 0;
    for (long k = 1;; ++k) {
      const long first = testing::allocations;
      testing::failing_allocation = first + k;
      try {
        action();
      } catch (const std::bad_alloc&) {
        ++failures;
      } catch (const std::exception& error) {
        testing::failing_allocation = 0;
        FAIL() << "allocation " << k << " of " << name << ": " << error.what();
      }
      testing::failing_allocation = 0;
      if (testing::allocations - first < k) break;  // it was not reached
      ASSERT_LT(k, 200'000);
    }
    EXPECT_GT(failures, 0);
    failures_ += failures;
    action();
  }

  void write_and_survive(const std::string& path, const std::function<void()>& write) {
    write();
    const std::string whole = content(path);
    survives(path, [&] {
      try {
        write();
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(content(path), whole);
        throw;
      }
    });
    EXPECT_EQ(content(path), whole);
  }

  ~FailingAllocations() override { RecordProperty("failures", std::to_string(failures_)); }

  long failures_ = 0;
  const Criterion criterion{.loss = AnyLoss::parse("soft-quantile:0.3,4"), .gamma = 0.9};
};

TEST_F(FailingAllocations, OfModelsLoseNothing) {
  const std::string csv = file(model_text, "model.csv");
  const std::string binary = path("model.bin");
  const Mdp model = read_model_csv(csv, {.threads = 1}).model;
  survives("reading CSV", [&] { (void)read_model_csv(csv, {.threads = 1}); });
  write_and_survive(path("out.csv"), [&] { write_model_csv(path("out.csv"), model, Sense::cost); });
  write_and_survive(binary, [&] { write_binary_model(binary, model, Sense::cost); });
  survives("reading binary", [&] { (void)read_binary_model(binary, {.threads = 1}); });
  const std::string policy = path("policy.csv");
  write_and_survive(policy, [&] { write_policy_csv(policy, model, {0, 1, 0}); });
  survives("reading a policy", [&] { (void)read_policy_csv(policy, model); });
  EXPECT_EQ(file_count(), 4u) << "and no temporary file";
}

TEST_F(FailingAllocations, OfSolversLoseNothing) {
  const Mdp model = read_model_csv(file(model_text), {.threads = 1}).model;
  const Execution execution{.threads = 1};
  for (const auto& [name, method] : method_names) {
    survives(std::string(name), [&, method = method] {
      EXPECT_TRUE(is_success(solve(model, criterion, method, {}, execution).status));
    });
  }
}

TEST_F(FailingAllocations, OfInventoriesLoseNothing) {
  const std::string toml = file(plan_text, "plan.toml");
  const InventoryToml settings(toml);  // not here: toml++ allocates where it may not throw
  survives("reading settings", [&] { (void)settings.configuration(); });
  const InventoryConfiguration plan = settings.configuration();
  const Execution execution{.threads = 1};
  const Solution solution = inventory::solve(plan.model, plan.criterion, {}, execution);
  survives("solving", [&] { (void)inventory::solve(plan.model, plan.criterion, {}, execution); });
  const std::string orders = path("orders.csv");
  write_and_survive(orders, [&] { write_order_policy_csv(orders, plan.model, solution.policy); });
  survives("reading orders", [&] { (void)read_order_policy_csv(orders, plan.model); });
  const std::string saved = path("solution");
  write_and_survive(saved, [&] { write_solution(saved, plan, solution); });
  survives("reading a solution", [&] { (void)read_solution(saved, plan); });
}

TEST_F(FailingAllocations, OfRecordsAndLawsLoseNothing) {
  std::string text = "date,demand,stockout\n";
  for (int day = 1; day <= 28; ++day) {
    text += fmt::format("2026-11-{:02},{},{}\n", day, day * day % 5, day % 9 == 0 ? 1 : 0);
  }
  const std::string rows = file(text, "records.csv");
  survives("reading records", [&] { (void)read_records_csv(rows); });
  const std::string law = file("value,probability\n1,0.25\n2,0.75\n", "law.csv");
  survives("reading a law", [&] { (void)read_law_csv(law, {.threads = 1}); });
  const std::string features = file("x1,x2\n1,2\n3,4\n", "features.csv");
  survives("reading features", [&] { (void)read_features_csv(features); });
}

TEST_F(FailingAllocations, OfLearnersLoseNothing) {
  const std::string csv = file("x1,x2,y1,y2,cost\n1,0,0,1,2\n0,1,1,0,1\n1,1,1,0,3\n", "rows.csv");
  const std::string json =
      file("{\"x\":[1,0],\"y\":[0,1],\"cost\":2}\n{\"x\":[0,1],\"y\":[1,0],\"cost\":1}\n",
           "rows.ndjson");
  for (const auto& [name, algorithm] : learn::algorithm_names) {
    for (const std::string& rows : {csv, json}) {
      if (is_averager(algorithm) && rows == csv) continue;  // whose features sum to 2
      survives(std::string(name) + " on " + rows, [&, algorithm = algorithm] {
        learn::LearnerOptions options{.algorithm = algorithm, .loss = criterion.loss, .gamma = 0.5};
        options.newton.warmup = 2;
        learn::AnyLearner learner(2, options);
        TransitionStream stream(rows, BadRow::reject, {}, FeatureRule::finite);
        for (;;) {
          const auto next = stream.next();
          if (next == TransitionStream::Next::end) break;
          if (next == TransitionStream::Next::starved) {
            (void)stream.fill();
            continue;
          }
          const Transition& row = stream.transition();
          learner.update(row.phi, row.cost, row.phi_next, row.weight);
        }
        const std::string checkpoint = path("state");
        StateWriter state;
        learner.archive(state);
        write_checkpoint(checkpoint, state.bytes());
        const std::string bytes = read_checkpoint(checkpoint).value();
        StateReader saved(checkpoint, bytes);
        learner.archive(saved);
        saved.finish();
      });
    }
  }
}

}  // namespace failing_allocations
}  // namespace shortfall::io
