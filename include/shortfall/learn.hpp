#pragma once

/// The value of a policy, learned online from a stream of transitions with linear features:
/// ℓ around the temporal-difference error.
///
///   learn::Newton learner(dimension, Expectile(0.9), 0.95);
///   for (..) status = learner.update(phi, cost, phi_next);
///   learner.value(phi);  // and learn/interval.hpp for its interval
///
/// learn::StreamRun learns from a file or a pipe, and resumes.

#include "shortfall/formats/stream_run.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/interval.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/risk.hpp"
