#include "apps/shortfall/file_contents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>

#include "apps/shortfall/learn_report.hpp"
#include "apps/shortfall/training_run.hpp"
#include "errors/require.hpp"
#include "files/file_descriptor.hpp"
#include "files/input_file.hpp"
#include "formats/stream_checkpoint.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/formats/binary_model.hpp"
#include "shortfall/formats/saved_solution.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

using Contents = nlohmann::ordered_json;

/// By name, options of the command line without their dashes, and as numbers where they are.
Contents object_of(const io::RecordedOptions& options) {
  Contents object = Contents::object();
  for (const auto& [name, value] : options) {
    const bool is_option = name.starts_with("--");
    const Contents number = is_option ? Contents::parse(value, nullptr, false) : Contents();
    object[is_option ? name.substr(2) : name] = number.is_number() ? number : Contents(value);
  }
  return object;
}

Contents place_in_stream(const learn::StreamCheckpoint& checkpoint) {
  const io::StreamPosition& at = checkpoint.position;
  Contents place = {{"source", at.source == io::StreamPosition::Source::file ? "file" : "pipe"},
                    {"format", at.header.empty() ? "ndjson" : "csv"},
                    {"rows", at.rows},
                    {"skipped_rows", at.skipped_rows},
                    {"lines", at.lines},
                    {"bytes", at.bytes},
                    {"next_row", at.next_row()},
                    {"seq", at.seen.empty() ? Contents() : Contents(at.seen.back())}};
  place["clipped_rows"] = at.clipped_rows;
  if (checkpoint.files.predictions.bytes > 0) {
    place["predictions_bytes"] = checkpoint.files.predictions.bytes;
  }
  if (checkpoint.files.bad_rows.bytes > 0) {
    place["bad_rows_bytes"] = checkpoint.files.bad_rows.bytes;
  }
  return place;
}

/// The values and intervals at states of features, and the standard errors of weights.
void add_asked_values(Contents& contents, const learn::SavedStream& saved,
                      const IntervalRequest& asked) {
  const std::size_t d = saved.learner.dimension();
  const std::size_t given = asked.at.dimension;
  require(asked.at.size() == 0 || given == d,
          "--at has {} features, but the learner has {}; accepted: the same number", given, d);
  check_intervals(learn::learner_options(saved.checkpoint.options), asked);
  nlohmann::json values = nlohmann::json::object();
  add_intervals(values, saved.learner, asked);
  for (const char* const key :
       {"confidence", "interval_status", "standard_error", "values", "low", "high"}) {
    if (values.contains(key)) contents[key] = values[key];
  }
}

void add_learn_contents(Contents& contents, io::StateReader& state, const IntervalRequest& asked) {
  const learn::SavedStream saved = learn::read_saved_stream(state);
  const auto& [checkpoint, drift, learner] = saved;
  const bool is_upset = learn::has_values(learner.status()) && checkpoint.outliers.is_upset();
  contents["options"] = object_of(checkpoint.options);
  contents["updates"] = learner.updates();
  contents["status"] = is_upset ? "outlier" : learn::to_string(learner.status());
  contents["theta"] = learner.theta();
  add_asked_values(contents, saved, asked);
  contents["effective_samples"] = learner.effective_samples();
  contents["alarms"] = drift.alarm.alarms();
  contents["last_alarm_row"] = drift.last_row > 0 ? Contents(drift.last_row) : Contents();
  contents["outliers"] = checkpoint.outliers.outliers();
  const std::uint64_t last_outlier = checkpoint.outliers.last().row;
  contents["last_outlier_row"] = last_outlier > 0 ? Contents(last_outlier) : Contents();
  if (const learn::InformationMatrix* information = learner.information()) {
    contents["inversions"] = information->inversions();
    contents["failed_inversions"] = information->failed_inversions();
    contents["distance_to_singularity"] = information->distance_to_singularity();
  }
  contents["stream"] = place_in_stream(checkpoint);
}

void add_training_contents(Contents& contents, io::StateReader& state) {
  std::string identity;
  io::RecordedOptions options;
  TrainingRun::Optimum optimum;
  inventory::TrainingState training;
  state(identity);
  archive(state, options);
  optimum.archive(state);
  training.archive(state);
  contents["options"] = object_of(options);
  contents["updates"] = training.trace.empty() ? 0 : training.trace.size() - 1;  // iterations
  contents["theta"] = training.theta;
  contents["states"] = training.values.size();
  contents["optimal_at_empty"] = optimum.value;
  if (training.best < training.trace.size()) {
    const inventory::TrainingRecord& best = training.trace[training.best];
    contents["best_iteration"] = best.iteration;
    contents["value_at_empty"] = best.value_at_empty;
    contents["error_bound"] = best.error_bound;
  }
}

/// The result of a part. It is printed recursively, so what is nested too deep for the stack is
/// refused.
Contents result_of(const std::string& text) {
  static constexpr int deepest = 64;
  const auto check_depth = [](int depth, Contents::parse_event_t, const Contents&) {
    require(depth <= deepest, "the result is nested too deeply; accepted: at most {} levels",
            deepest);
    return true;
  };
  Contents result = Contents::parse(text, check_depth, /*allow_exceptions=*/false);
  require(!result.is_discarded(), "the result is not JSON; accepted: what reproduce writes");
  return result;
}

void add_part_contents(Contents& contents, io::StateReader& state) {
  io::RecordedOptions options;
  std::string result;
  archive(state, options);
  state(result);
  contents["options"] = object_of(options);
  state.check([&] { contents["result"] = result_of(result); });
}

/// Whether an archive begins with a kind. Programs that use the library write what they like.
bool begins_with_word(std::string_view bytes) {
  constexpr std::uint64_t longest_kind = 40;
  std::uint64_t size = 0;
  if (bytes.size() < sizeof size) return false;
  std::memcpy(&size, bytes.data(), sizeof size);
  if (size == 0 || size > std::min<std::uint64_t>(longest_kind, bytes.size() - sizeof size)) {
    return false;
  }
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == ' ' || c == '-'; };
  return std::ranges::all_of(bytes.substr(sizeof size, size), is_letter);
}

Contents checkpoint_contents(const std::string& path, const IntervalRequest& asked) {
  const io::Checkpoint checkpoint = io::load_checkpoint(path).value();
  io::StateReader state(path, checkpoint.bytes, checkpoint.version);
  std::string kind;
  if (!begins_with_word(checkpoint.bytes)) {
    io::reject({.file = path},
               "this is an archive that another program wrote with the library, whose content only "
               "that program knows",
               "a checkpoint of learn, inventory train or reproduce");
  }
  state(kind);
  Contents contents = {{"kind", kind}, {"version", checkpoint.version}};
  if (kind == learn::stream_checkpoint_kind) {
    add_learn_contents(contents, state, asked);
  } else if (kind == training_checkpoint_kind) {
    add_training_contents(contents, state);
  } else if (kind == "reproduce") {
    add_part_contents(contents, state);
  } else {
    io::reject({.file = path}, fmt::format("this is a checkpoint of kind {:?}", kind),
               "one of learn, inventory train or reproduce");
  }
  state.finish();
  return contents;
}

Contents solution_contents(const std::string& path) {
  const io::SolutionSummary summary = io::summarise_solution(path);
  return {{"kind", "inventory solution"},
          {"version", io::solution_version},
          {"options", object_of(summary.plan)},
          {"status", to_string(summary.status)},
          {"states", summary.states},
          {"value_at_empty", summary.value_at_empty},
          {"order_at_empty", summary.order_at_empty},
          {"error_bound", summary.error_bound},
          {"iterations", summary.iterations}};
}

/// By its header alone, which takes no time for any model.
Contents model_contents(const std::string& path) {
  const io::BinaryModelFile file(path);
  const io::ModelFacts& facts = file.facts();
  return {{"kind", "binary model"},
          {"version", io::binary_model_version},
          {"sense", facts.sense == io::Sense::reward ? "reward" : "cost"},
          {"states", facts.states},
          {"rows", facts.rows},
          {"outcomes", facts.outcomes},
          {"longest_row", facts.longest_row},
          {"has_terminal_states", facts.has_terminal_states}};
}

}  // namespace

nlohmann::ordered_json file_contents(const std::string& path, const IntervalRequest& asked) {
  constexpr auto accepted =
      "a file written by --checkpoint, by inventory solve --save, or by convert";
  const std::string beginning = io::beginning_of(path, 29, accepted);
  if (beginning.starts_with("shortfall checkpoint\n")) return checkpoint_contents(path, asked);
  if (beginning.starts_with("shortfall inventory solution\n")) return solution_contents(path);
  if (io::is_binary_model(path)) return model_contents(path);
  (void)io::open_input(path, accepted);  // throws if there is no such file
  io::reject({.file = path}, "this is neither a checkpoint nor a saved solution nor a binary model",
             accepted);
}

}  // namespace shortfall::app
