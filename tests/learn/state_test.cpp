// A state to resume from may be damaged or forged: each of its fields is checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "tests/learn/transitions_for_tests.hpp"

namespace shortfall::learn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RandomTransitions;

constexpr std::size_t d = 5;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The positions of the fields in a state's bytes: single numbers in order, lists by name.
struct Layout {
  template <class T>
  requires io::PlainNumber<T>
  void operator()(const T&) {
    numbers.push_back(end);
    end += sizeof(T);
  }
  template <class V>
  requires io::PlainNumber<typename V::value_type>
  void operator()(const V& list, std::string_view name) {
    lists[std::string(name)] = end;
    end += sizeof(std::uint64_t) + list.size() * sizeof(typename V::value_type);
  }
  template <class Check>
  void check(const Check&) {}
  static constexpr std::uint32_t version() { return io::checkpoint_version; }

  std::size_t end = 0;
  std::vector<std::size_t> numbers;
  std::map<std::string, std::size_t> lists;
};

/// Single numbers, in the order in which they are archived; those from `recent_weight` on are
/// Newton's.
enum Number : std::size_t {
  updates,
  status,
  weight,
  squared_weight,
  horizon,
  largest_cost,
  largest_start,
  recent_weight,
  recent_square,
  fading_weight,
  fading_square,
  share,
  fading_from,
  recent_from,
  moved_at,
  batches,
  batch_length,
  batch_filled,
  kept_at,
  kept_batches,
  doubt,
  next_doubt,
  products,
  samples,
  next_inversion,
  invertible,
  inversions,
  failed,
  distance,
  amplification
};

class LearnerState : public ::testing::Test {
 protected:
  explicit LearnerState(Algorithm algorithm = Algorithm::newton, bool averaged = false)
      : options_{.algorithm = algorithm,
                 .loss = Expectile(0.7),
                 .gamma = 0.9,
                 .lambda = algorithm == Algorithm::td_lambda ? 0.5 : 0.0,
                 .step = PolynomialStep(),
                 .average_from = averaged ? std::optional<std::uint64_t>(0) : std::nullopt,
                 .newton = {.warmup = 40, .refactor_every = 100}} {}

  /// The state after this many updates.
  void learn(std::size_t count) {
    AnyLearner learner(d, options_);
    RandomTransitions stream(d);
    for (std::size_t n = 0; n < count; ++n) {
      stream.advance();
      (void)learner.update(stream.phi(), stream.cost(), stream.phi_next());
    }
    io::StateWriter writer;
    learner.archive(writer);
    bytes_ = writer.bytes();
    layout_ = Layout();
    learner.archive(layout_);
  }

  /// The message for the state with `value` at a position of its bytes.
  template <class T>
  std::string message_at(std::size_t place, T value) const {
    std::string bytes = bytes_;
    std::memcpy(bytes.data() + place, &value, sizeof value);
    AnyLearner learner(d, options_);
    io::StateReader reader("the file", bytes);
    try {
      learner.archive(reader);
      reader.finish();
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "taken";
  }
  template <class T>
  std::string message(Number number, T value) const {
    return message_at(layout_.numbers[number], value);
  }
  /// With `value` for number i of a list.
  std::string message(const std::string& list, std::size_t i, double value) const {
    return message_at(layout_.lists.at(list) + sizeof(std::uint64_t) + i * sizeof value, value);
  }

  static auto refuses(const std::string& field) {
    return AllOf(HasSubstr("the file: "), HasSubstr(field), HasSubstr("; accepted: "));
  }

  LearnerOptions options_;
  std::string bytes_;
  Layout layout_;
};

TEST_F(LearnerState, OfNewtonHasConsistentCounts) {
  learn(250);  // θ moves from 40 on; sums began anew at 40, 80 and 160
  EXPECT_EQ(message(products, std::uint64_t{15}), "taken");
  for (const std::uint64_t wrong : {std::uint64_t{16}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    EXPECT_THAT(message(products, wrong), refuses("products = "));
  }
  EXPECT_THAT(message(products, std::uint64_t{16}), HasSubstr("products = 16; accepted: 0 to 15"));
  EXPECT_THAT(message(moved_at, std::uint64_t{0}), refuses("moved_at = 0; accepted: 1"));
  EXPECT_THAT(message(moved_at, std::uint64_t{251}), refuses("moved_at = 251"));
  EXPECT_THAT(message(recent_from, std::uint64_t{251}), refuses("recent_from = 251"));
  EXPECT_THAT(message(fading_from, std::uint64_t{200}), refuses("fading_from = 200"));
  EXPECT_THAT(message(batches, std::uint64_t{128}), refuses("batches = 128; accepted: 0 to 127"));
  EXPECT_THAT(message(batch_length, std::uint64_t{0}), refuses("batch_length = 0"));
  EXPECT_THAT(message(batch_filled, std::uint64_t{16}), refuses("batch_filled = 16"));
  for (const Number sum : {weight, squared_weight, recent_weight, recent_square, fading_weight,
                           fading_square, share}) {
    EXPECT_THAT(message(sum, -1.0), refuses(" = -1; accepted: 0")) << sum;
    EXPECT_THAT(message(sum, nan), refuses(" = nan; accepted: 0")) << sum;
  }
  EXPECT_THAT(message(share, 1.5), refuses("share = 1.5; accepted: 0 to 1"));
  EXPECT_THAT(message(samples, std::uint64_t{249}), refuses("samples = 249"));
  EXPECT_THAT(message(updates, std::uint64_t{251}), refuses("samples = 250; accepted: 251"));
  EXPECT_THAT(message(next_inversion, std::uint64_t{250}), refuses("next_inversion = 250"));
  EXPECT_EQ(message(next_inversion, std::uint64_t{251}), "taken");
  EXPECT_EQ(message(next_inversion, std::uint64_t{350}), "taken");
  EXPECT_THAT(message(next_inversion, std::uint64_t{351}), refuses("next_inversion = 351"));
  EXPECT_THAT(message(invertible, std::uint8_t{2}), refuses("invertible = 2; accepted: 0 to 1"));
  EXPECT_THAT(message(invertible, std::uint8_t{0}), refuses("status = ok; accepted: singular"));
  EXPECT_THAT(message(inversions, std::uint64_t{0}), refuses("inversions = 0; accepted: 1"));
  EXPECT_EQ(message(inversions, std::uint64_t{250}), "taken");
  EXPECT_THAT(message(inversions, std::uint64_t{251}), refuses("inversions = 251"));
  EXPECT_EQ(message(failed, std::uint64_t{250}), "taken");
  EXPECT_THAT(message(failed, std::uint64_t{251}), refuses("failed_inversions = 251"));
}

TEST_F(LearnerState, OfNewtonHasNoMoreProductsThanSamples) {
  learn(10);
  EXPECT_EQ(message(products, std::uint64_t{10}), "taken");
  EXPECT_THAT(message(products, std::uint64_t{11}), refuses("products = 11; accepted: 0 to 10"));
  EXPECT_EQ(message(next_inversion, std::uint64_t{40}), "taken");
  EXPECT_THAT(message(invertible, std::uint8_t{1}), refuses("moved_at = 0; accepted: 1"));
}

TEST_F(LearnerState, OfNewtonHasInverseMeasuresInRange) {
  learn(250);
  EXPECT_EQ(message(distance, InformationMatrix::near_singular), "taken");
  for (const double wrong : {0.99 * InformationMatrix::near_singular, -1.0, nan, infinity}) {
    EXPECT_THAT(message(distance, wrong), refuses("distance = ")) << wrong;
  }
  EXPECT_EQ(message(amplification, 1.0), "taken");
  EXPECT_EQ(message(amplification, InformationMatrix::largest_amplification), "taken");
  for (const double wrong : {0.99, 1.01 * InformationMatrix::largest_amplification, nan}) {
    EXPECT_THAT(message(amplification, wrong), refuses("amplification = ")) << wrong;
  }
}

TEST_F(LearnerState, OfNewtonHasListsOfTheRightLengthWithZeroPadding) {
  learn(250);
  EXPECT_EQ(layout_.lists.size(), 21u);
  for (const auto& [list, place] : layout_.lists) {
    EXPECT_THAT(message_at(place, std::uint64_t{1}), refuses(list + " has 1 numbers")) << list;
    // One for each batch, or two for each sample, without padding.
    if (list == "batch_weights" || list == "kept_samples") continue;
    EXPECT_THAT(message(list, d, 1.0), refuses(list + " is 1, after a row of 5")) << list;
    EXPECT_THAT(message(list, d, nan), refuses(list)) << list;
    EXPECT_EQ(message(list, d - 1, 1.0), "taken") << list;
  }
  for (const std::string list :
       {"theta", "start", "target_sum", "fading_target_sum", "products_x", "products_z",
        "batch_rows", "kept_z", "kept_samples", "theta_sum", "x_squares", "z_squares",
        "fading_x_squares", "fading_z_squares"}) {
    EXPECT_THAT(message(list, 2, nan), refuses("number 3 of " + list + " is NaN"));
  }
  for (const std::string list :
       {"x_squares", "z_squares", "fading_x_squares", "fading_z_squares", "batch_weights"}) {
    EXPECT_EQ(message(list, 0, 0.0), "taken");
    EXPECT_THAT(message(list, 0, -1e-300), refuses(list));
  }
}

/// A state of version 2 has no samples by which slopes are judged.
TEST_F(LearnerState, OfNewtonFromTheVersionBeforeIsReadAndGoesOn) {
  learn(250);
  const std::size_t first = layout_.lists.at("kept_z");
  std::string older = bytes_;
  older.erase(first, layout_.lists.at("theta_sum") - first);
  AnyLearner learners[] = {AnyLearner(d, options_), AnyLearner(d, options_)};
  io::StateReader now("now", bytes_);
  io::StateReader before("before", older, 2);
  learners[0].archive(now);
  learners[1].archive(before);
  now.finish();
  before.finish();
  RandomTransitions stream(d);
  for (int n = 0; n < 1000; ++n) {
    stream.advance();
    for (AnyLearner& learner : learners) {
      ASSERT_EQ(learner.update(stream.phi(), stream.cost(), stream.phi_next()), LearnerStatus::ok);
    }
  }
  const std::vector<double> theta(learners[0].theta().begin(), learners[0].theta().end());
  EXPECT_EQ(std::vector(learners[1].theta().begin(), learners[1].theta().end()), theta);
}

TEST_F(LearnerState, HasAStatusThatIsPossibleForItsLearner) {
  learn(250);
  EXPECT_EQ(message(status, LearnerStatus::diverged), "taken");
  for (const int wrong : {1, 2, 4, -1}) {
    EXPECT_THAT(message(status, wrong), refuses("status = ")) << wrong;
  }
  for (const Algorithm algorithm : {Algorithm::td, Algorithm::td_lambda}) {
    options_.algorithm = algorithm;
    learn(50);
    EXPECT_EQ(message(status, LearnerStatus::diverged), "taken");
    for (const int wrong : {1, 2, 5, -1}) {
      EXPECT_THAT(message(status, wrong), refuses("status = ")) << wrong;
    }
  }
}

TEST_F(LearnerState, OfTdHasValidWeights) {
  for (const bool averaged : {false, true}) {
    options_.algorithm = Algorithm::td_lambda;
    options_.lambda = 0.5;
    options_.average_from = averaged ? std::optional<std::uint64_t>(0) : std::nullopt;
    learn(50);
    EXPECT_EQ(layout_.lists.size(), averaged ? 6u : 3u);
    for (const auto& [list, place] : layout_.lists) {
      EXPECT_THAT(message_at(place, std::uint64_t{9}), refuses(list + " has 9 numbers"));
      if (list == "batch_weights") continue;
      EXPECT_THAT(message(list, 0, nan), refuses("number 1 of " + list + " is NaN"));
      EXPECT_THAT(message(list, d, -1.0), refuses(list + " is -1, after"));
      EXPECT_EQ(message(list, 0, 3.0), "taken");
    }
    // A θ that has overflowed is left for the next update to report; a start never has.
    EXPECT_EQ(message("theta", 0, infinity), "taken");
    EXPECT_THAT(message("start", 0, infinity), refuses("number 1 of start is inf"));
  }
}

/// With scaled steps: the mean, what it is made of, and what tells whether it has settled.
TEST_F(LearnerState, OfTdWithScaledStepsHasValidMeans) {
  options_.algorithm = Algorithm::td;
  options_.step = {};
  learn(300);
  EXPECT_EQ(layout_.lists.size(), 7u);
  for (const auto& [list, place] : layout_.lists) {
    EXPECT_THAT(message_at(place, std::uint64_t{9}), refuses(list + " has 9 numbers")) << list;
  }
  for (const std::string list : {"theta", "start", "mean", "batch_rows", "sampled_states"}) {
    EXPECT_THAT(message(list, 0, nan), refuses("number 1 of " + list + " is NaN"));
    EXPECT_THAT(message(list, d, -1.0), refuses(list + " is -1, after"));
    EXPECT_EQ(message(list, 0, 3.0), "taken");
  }
  EXPECT_EQ(message(status, LearnerStatus::not_settled), "taken");
}

TEST_F(LearnerState, HasAValidDivergenceGuard) {
  options_.algorithm = Algorithm::td;
  learn(50);
  EXPECT_EQ(message(horizon, 10.0), "taken");  // 1 / (1 - γ), minus a rounding
  for (const Number number : {horizon, largest_cost, largest_start}) {
    EXPECT_EQ(message(number, 0.0), "taken");
    for (const double wrong : {-1.0, nan, infinity}) {
      EXPECT_THAT(message(number, wrong), refuses(" = ")) << number;
    }
  }
  EXPECT_THAT(message(horizon, 10.1), refuses("horizon = 10.1"));
}

}  // namespace
}  // namespace shortfall::learn
