#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "tests/inventory/train/training_for_tests.hpp"

/// Independence of threads, interruption, and rejected input of training.
namespace shortfall::inventory {
namespace {

using learn::Algorithm;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace shortfall::testing;

/// A complete state as bytes.
std::string bytes_of(TrainingState state) {
  io::StateWriter writer;
  state.archive(writer);
  return writer.bytes();
}

TrainingState state_of(const std::string& bytes) {
  TrainingState state;
  io::StateReader reader("test", bytes);
  state.archive(reader);
  reader.finish();
  return state;
}

/// The bytes after each iteration, including the start.
std::vector<std::string> history(const Model& model, const Criterion& criterion,
                                 const TrainingOptions& options, int iterations, int threads = 0) {
  Training training(model, criterion, options, {}, {.threads = threads});
  std::vector<std::string> states{bytes_of(training.state())};
  for (int k = 0; k < iterations; ++k) {
    training.iterate();
    states.push_back(bytes_of(training.state()));
  }
  return states;
}

TEST(Training, IsBitwiseIdenticalForAnyNumberOfThreads) {
  const Model week = week_of(studies::platelets_arrival(3), 8);
  for (const Algorithm algorithm : {Algorithm::newton, Algorithm::td}) {
    for (const std::size_t scenarios : {0U, 10U}) {
      TrainingOptions options = few_samples(algorithm);
      options.scenarios = scenarios;
      const std::vector<std::string> one = history(week, expectile(0.8), options, 3, 1);
      EXPECT_EQ(history(week, expectile(0.8), options, 3, 2), one);
      EXPECT_EQ(history(week, expectile(0.8), options, 3), one);
    }
  }
}

TEST(Training, LearnsOtherWeightsFromAnotherSeed) {
  const Model model = paper_model(3);
  TrainingOptions options = few_samples();
  Training training(model, expectile(0.8), options);
  options.seed = 2;
  Training other(model, expectile(0.8), options);
  EXPECT_EQ(bytes_of(training.state()), bytes_of(other.state()));
  training.iterate();
  other.iterate();
  EXPECT_NE(training.state().trace.back().estimated_at_empty,
            other.state().trace.back().estimated_at_empty);
  EXPECT_NE(training.state().theta, other.state().theta);
}

TEST(Training, UsesNewScenariosInEachIterationAndForEachSeed) {
  const Model model = paper_model(3, studies::published_cost(50, 1, 20, 5));
  TrainingOptions options = few_samples();
  options.scenarios = 5;
  Training training(model, expectile(0.8), options);
  training.iterate();
  const Policy first = training.state().orders;
  training.iterate();
  EXPECT_NE(training.state().orders, first);
  options.seed = 2;
  Training other(model, expectile(0.8), options);
  other.iterate();
  EXPECT_NE(other.state().orders, first);
}

TEST(Training, ResumesIdenticallyAfterAnyIteration) {
  constexpr int iterations = 4;
  const std::vector<std::pair<Model, std::size_t>> cases{
      {paper_model(3, studies::published_cost(80, 1, 20, 5)), 0},
      {paper_model(3, studies::published_cost(80, 1, 20, 5)), 10},
      {week_of(studies::platelets_arrival(3), 6), 0},
  };
  for (const auto& [model, scenarios] : cases) {
    for (const Algorithm algorithm : {Algorithm::newton, Algorithm::td}) {
      TrainingOptions options = few_samples(algorithm);
      options.scenarios = scenarios;
      const std::vector<std::string> whole = history(model, expectile(0.4), options, iterations);
      for (std::size_t k = 0; k < whole.size(); ++k) {
        Training resumed(model, expectile(0.4), options, state_of(whole[k]));
        EXPECT_EQ(bytes_of(resumed.state()), whole[k]);
        for (std::size_t j = k + 1; j < whole.size(); ++j) {
          resumed.iterate();
          ASSERT_EQ(bytes_of(resumed.state()), whole[j]) << "from " << k << " to " << j;
        }
      }
    }
  }
}

TEST(TrainingStateArchive, KeepsEveryMember) {
  const TrainingState state{.trace = {{.iteration = 1,
                                       .estimated_at_empty = 2.0,
                                       .change = 3.0,
                                       .used = 4,
                                       .singular = 5,
                                       .diverged = 6,
                                       .value_at_empty = 7.0,
                                       .error_bound = 8.0,
                                       .status = Status::precision_limit},
                                      {}},
                            .theta = {9.0, 10.0},
                            .orders = {11, 12, 13},
                            .values = {14.0},
                            .best_orders = {15},
                            .best = 1};
  const TrainingState read = state_of(bytes_of(state));
  ASSERT_EQ(read.trace.size(), 2);
  EXPECT_EQ(read.trace[0].iteration, 1);
  EXPECT_EQ(read.trace[0].estimated_at_empty, 2.0);
  EXPECT_EQ(read.trace[0].change, 3.0);
  EXPECT_EQ(read.trace[0].used, 4);
  EXPECT_EQ(read.trace[0].singular, 5);
  EXPECT_EQ(read.trace[0].diverged, 6);
  EXPECT_EQ(read.trace[0].value_at_empty, 7.0);
  EXPECT_EQ(read.trace[0].error_bound, 8.0);
  EXPECT_EQ(read.trace[0].status, Status::precision_limit);
  EXPECT_EQ(read.theta, state.theta);
  EXPECT_EQ(read.orders, state.orders);
  EXPECT_EQ(read.values, state.values);
  EXPECT_EQ(read.best_orders, state.best_orders);
  EXPECT_EQ(read.best, 1);
}

TEST(Training, ReportsItsCurrentActivity) {
  const Model model = paper_model(5, paper_costs, 12);
  std::vector<std::string> said;
  const Monitor monitor = [&](const Progress& progress) {
    EXPECT_GE(progress.fraction, 0.0);
    EXPECT_LE(progress.fraction, 1.0);
    said.emplace_back(progress.activity);
    return Request::proceed;
  };
  Training training(model, expectile(0.6), few_samples(), {}, {.threads = 1, .monitor = monitor});
  said.clear();
  training.iterate();
  EXPECT_THAT(said, ::testing::IsSupersetOf({"learning", "improving", "evaluating"}));
  EXPECT_THAT(said, Each(::testing::AnyOf("learning", "improving", "evaluating")));
}

TEST(Training, IsUnchangedAfterAnExceptionOrAStop) {
  const Model model = paper_model(3);
  std::string ends_in;
  enum class End { exception, stop } end = End::stop;
  const Monitor monitor = [&](const Progress& progress) {
    if (progress.activity != ends_in) return Request::proceed;
    if (end == End::exception) throw std::runtime_error("stop");
    return Request::stop;
  };
  Training undisturbed(model, expectile(0.7), few_samples());
  Training training(model, expectile(0.7), few_samples(), {}, {.monitor = monitor});
  for (const char* what : {"learning", "improving", "evaluating"}) {
    ends_in = what;
    end = End::exception;
    EXPECT_THROW(training.iterate(), std::runtime_error) << what;
    end = End::stop;
    EXPECT_FALSE(training.iterate()) << what;
    ends_in = "";
    EXPECT_TRUE(undisturbed.iterate());
    EXPECT_TRUE(training.iterate());
    EXPECT_EQ(training.state().orders, undisturbed.state().orders) << what;
    EXPECT_EQ(training.state().theta, undisturbed.state().theta) << what;
    EXPECT_EQ(training.state().trace.size(), undisturbed.state().trace.size()) << what;
  }
}

/// A request at the last report of a part is one, too.
TEST(Training, IsStoppedByASingleRequest) {
  const Model model = paper_model(3);
  std::size_t reports = 0;
  std::size_t stops_at = 0;
  bool requested = false;
  std::size_t calls_after = 0;
  const Monitor monitor = [&](const Progress&) {
    if (requested) ++calls_after;
    requested = requested || ++reports == stops_at;
    return requested && calls_after == 0 ? Request::stop : Request::proceed;
  };
  Training training(model, expectile(0.7), few_samples(), {}, {.threads = 1, .monitor = monitor});
  reports = 0;
  ASSERT_TRUE(training.iterate());
  const std::size_t all = reports;
  for (stops_at = 1; stops_at < all; ++stops_at) {
    reports = 0;
    requested = false;
    const std::size_t before = training.state().trace.size();
    const bool is_complete = training.iterate();
    EXPECT_EQ(training.state().trace.size(), before + (is_complete ? 1 : 0));
    EXPECT_EQ(calls_after, 0) << "report " << stops_at;
    if (is_complete) break;  // the number of passes of an evaluation varies
  }
  EXPECT_GT(stops_at, all / 2);
}

TEST(Training, BeginsAgainIfItWasStoppedAtTheBeginning) {
  const Model model = paper_model(3);
  for (const char* what : {"computing myopic orders", "evaluating"}) {
    bool stops = true;
    const Monitor monitor = [&](const Progress& progress) {
      return stops && progress.activity == what ? Request::stop : Request::proceed;
    };
    Training training(model, expectile(0.7), few_samples(), {}, {.monitor = monitor});
    EXPECT_TRUE(training.state().trace.empty());
    EXPECT_FALSE(training.iterate());
    stops = false;
    EXPECT_TRUE(training.iterate());
    Training undisturbed(model, expectile(0.7), few_samples());
    undisturbed.iterate();
    EXPECT_EQ(training.state().orders, undisturbed.state().orders);
    EXPECT_EQ(training.state().trace.size(), 2);
  }
}

TEST(Training, RejectsInvalidOptions) {
  const Model model = paper_model(3);
  const auto begin = [&](const TrainingOptions& options) {
    return [&model, options] { const Training training(model, expectile(0.6), options); };
  };
  EXPECT_THAT(begin({.algorithm = Algorithm::td_lambda}),
              ThrowsMessage<InvalidInput>(HasSubstr("accepted: td, newton")));
  EXPECT_THAT(begin({.samples = 0}), ThrowsMessage<InvalidInput>(HasSubstr("0 samples")));
  EXPECT_THAT(begin({.samples = 19, .warmup = 0}),
              ThrowsMessage<InvalidInput>(HasSubstr("19 samples in 20 trajectories")));
  EXPECT_THAT(begin({.trajectories = 0}),
              ThrowsMessage<InvalidInput>(HasSubstr("in 0 trajectories")));
  EXPECT_THAT(begin({.warmup = 3'000}),
              ThrowsMessage<InvalidInput>(
                  HasSubstr("a warm-up of 3000 samples in trajectories of 3000; accepted: fewer")));
  EXPECT_NO_THROW(begin({.warmup = 2'999})());
  EXPECT_NO_THROW(begin({.algorithm = Algorithm::td, .warmup = 3'000})());
  EXPECT_THAT(begin({.warmup = 6}),
              ThrowsMessage<InvalidInput>(HasSubstr("a warm-up of 6 samples for 7 features")));
  EXPECT_NO_THROW(begin({.warmup = 7})());
  EXPECT_THROW(begin({.tolerance = 0.0})(), InvalidInput);
  EXPECT_THROW(Training(model, {Expectile(0.6), 1.0}, {}), InvalidInput);
}

TEST(Training, RejectsTheStateOfAnotherModel) {
  const Model model = model_of(Arrival::fresh(2), 2, {{0.5, 0.5}});
  TrainingState state = Training(model, expectile(0.6), few_samples()).state();
  const auto go_on = [](const Model& other, const TrainingState& from) {
    return [&other, from] { Training(other, expectile(0.6), few_samples(), from).iterate(); };
  };
  EXPECT_NO_THROW(go_on(model, state)());
  const auto rejects =
      ThrowsMessage<InvalidInput>(HasSubstr("the training state belongs to another model"));
  const Model larger = model_of(Arrival::fresh(2), 3, {{0.5, 0.5}});
  EXPECT_THAT(go_on(larger, state), rejects);
  const Model week = week_of(Arrival::fresh(2), 2);
  EXPECT_THAT(go_on(week, state), rejects);
  // The same number of states, with another meaning: (0), (1), (2) and (0,0), (0,1), (1,0).
  const Model same_size = model_of(Arrival::fresh(3), 1, {{0.5, 0.5}});
  ASSERT_EQ(same_size.states(), model.states());
  TrainingState idle = state;
  idle.orders = idle.best_orders = {0, 0, 0};
  EXPECT_THAT(go_on(same_size, idle), rejects);

  const auto broken = [&](auto change) {
    TrainingState other = state;
    change(other);
    return go_on(model, other);
  };
  EXPECT_THAT(broken([](TrainingState& s) { s.theta.clear(); }), rejects);
  EXPECT_THAT(broken([](TrainingState& s) { s.values.pop_back(); }), rejects);
  EXPECT_THAT(broken([](TrainingState& s) { s.best_orders.pop_back(); }), rejects);
  EXPECT_THAT(broken([](TrainingState& s) { s.best = s.trace.size(); }), rejects);
  EXPECT_THROW(broken([](TrainingState& s) { s.orders[2] = 1; })(), InvalidInput);
  EXPECT_THROW(broken([](TrainingState& s) { s.best_orders[0] = -1; })(), InvalidInput);
}

}  // namespace
}  // namespace shortfall::inventory
