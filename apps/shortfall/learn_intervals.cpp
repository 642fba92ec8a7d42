#include "apps/shortfall/learn_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace shortfall::app {
namespace {

using learn::Interval;
using learn::IntervalStatus;
using nlohmann::json;

/// The intervals of all weights, or of all states asked for.
struct Intervals {
  std::vector<Interval> all;

  /// One that is not known yet is worse than one that is too narrow.
  IntervalStatus status() const {
    IntervalStatus worst = IntervalStatus::ok;
    for (const Interval& one : all) {
      if (one.status == IntervalStatus::not_yet) return one.status;
      if (one.status == IntervalStatus::short_batches) worst = one.status;
    }
    return worst;
  }

  json column(double Interval::*field) const {
    json numbers = json::array();
    for (const Interval& one : all) {
      numbers.push_back(std::isfinite(one.*field) ? json(one.*field) : json());
    }
    return numbers;
  }
};

learn::IntervalOptions options_of(const IntervalRequest& request) {
  return {.level = *request.level, .method = request.method};
}

Intervals of_weights(const learn::AnyLearner& learner, const IntervalRequest& request) {
  Intervals found;
  std::vector<double> unit(learner.dimension());
  for (double& x : unit) {
    x = 1.0;
    found.all.push_back(learner.interval(unit, options_of(request)));
    x = 0.0;
  }
  return found;
}

Intervals of_states(const learn::AnyLearner& learner, const IntervalRequest& request) {
  Intervals found;
  for (std::size_t i = 0; i < request.at.size(); ++i) {
    found.all.push_back(learner.interval(request.at.row(i), options_of(request)));
  }
  return found;
}

std::string bound_text(double bound) {
  return std::isfinite(bound) ? fmt::format("{:.10g}", bound) : "not yet";
}

}  // namespace

void add_intervals(json& document, const learn::AnyLearner& learner,
                   const IntervalRequest& request) {
  if (!request.level) return;
  const Intervals weights = of_weights(learner, request);
  const Intervals states = of_states(learner, request);
  document["confidence"] = *request.level;
  document["interval_status"] = to_string((request.at.size() > 0 ? states : weights).status());
  document["standard_error"] = weights.column(&Interval::standard_error);
  if (request.at.size() == 0) return;
  document["values"] = states.column(&Interval::value);
  document["low"] = states.column(&Interval::low);
  document["high"] = states.column(&Interval::high);
}

std::string standard_error_text(const learn::AnyLearner& learner, std::size_t weight,
                                const IntervalRequest& request) {
  std::vector<double> unit(learner.dimension());
  unit[weight] = 1.0;
  const Interval found = learner.interval(unit, options_of(request));
  return std::isfinite(found.standard_error) ? fmt::format("{:.6g}", found.standard_error)
                                             : "not yet";
}

std::string intervals_text(const learn::AnyLearner& learner, const IntervalRequest& request) {
  if (!request.level) return "";
  const Intervals states = of_states(learner, request);
  std::string text;
  if (!states.all.empty()) {
    text += fmt::format("\n   state              value                low               high\n");
    for (std::size_t i = 0; i < states.all.size(); ++i) {
      const Interval& one = states.all[i];
      text += fmt::format("{:8} {:>18.10g} {:>18} {:>18}\n", i + 1, one.value, bound_text(one.low),
                          bound_text(one.high));
    }
  }
  const IntervalStatus status =
      (states.all.empty() ? of_weights(learner, request) : states).status();
  if (status == IntervalStatus::not_yet) {
    text += "\nno intervals yet: they need more rows\n";
  } else if (status == IntervalStatus::short_batches) {
    text +=
        "\nwarning: intervals are too narrow: the chain remembers longer than the batches are; "
        "more rows help, and --interval-method random-scaling\n";
  } else if (!states.all.empty()) {
    text += fmt::format("\neach interval holds the limit of its value with probability {}\n",
                        *request.level);
  }
  return text;
}

}  // namespace shortfall::app
