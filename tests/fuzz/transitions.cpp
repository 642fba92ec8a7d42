#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "shortfall/formats/transition_stream.hpp"
#include "tests/fuzz/commands.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

using Next = io::TransitionStream::Next;

/// Rows as texts that show every bit, and how the stream ended.
struct Outcome {
  std::vector<std::string> rows = {};
  std::string message = {};  ///< without the name of the stream; empty: it was read to its end
  io::StreamPosition position = {};
};

std::string text_of_row(const io::Transition& row) {
  const auto is_finite = [](double x) { return std::isfinite(x); };
  expect(std::ranges::all_of(row.phi, is_finite) && std::ranges::all_of(row.phi_next, is_finite) &&
             is_finite(row.cost),
         "numbers of a row are finite");
  expect(is_finite(row.weight) && row.weight >= 0.0, "weights are nonnegative");
  return fmt::format("{} | {} | {} {} {} {}", fmt::join(row.phi, " "), fmt::join(row.phi_next, " "),
                     row.cost, row.terminal, row.weight,
                     row.seq ? static_cast<std::int64_t>(*row.seq) : -1);
}

/// Takes rows up to the end, or as many as `most`.
void take_rows(io::TransitionStream& stream, std::size_t most, Outcome& outcome) {
  while (outcome.rows.size() < most) {
    const Next next = stream.next();
    if (next == Next::end) return;
    if (next == Next::starved) stream.fill();
    if (next == Next::row) outcome.rows.push_back(text_of_row(stream.transition()));
  }
}

Outcome outcome_of(const std::string& path, io::BadRow bad_row,
                   io::FeatureRule rule = io::FeatureRule::finite) {
  Outcome outcome;
  io::TransitionStream stream(path, bad_row, {}, rule);
  try {
    take_rows(stream, ~std::size_t{0}, outcome);
    outcome.position = stream.position();
  } catch (const InvalidInput& error) {
    expect_helpful(error.what(), path);
    outcome.message = std::string(error.what()).substr(path.size());
  }
  return outcome;
}

/// The same through a pipe, with a look after the first bytes.
Outcome outcome_in_pieces(std::string_view bytes, std::size_t first) {
  Outcome outcome;
  Pipe pipe;
  const std::string path = pipe.path();
  io::TransitionStream stream(path, io::BadRow::reject);
  pipe.write(bytes.substr(0, first));
  stream.fill();
  try {
    while (stream.next() == Next::row) outcome.rows.push_back(text_of_row(stream.transition()));
    pipe.write(bytes.substr(first));
    pipe.close();
    take_rows(stream, ~std::size_t{0}, outcome);
  } catch (const InvalidInput& error) {
    outcome.message = std::string(error.what()).substr(path.size());
  }
  return outcome;
}

void expect_same(const Outcome& outcome, const Outcome& expected, std::string_view promise) {
  expect(outcome.rows == expected.rows && outcome.message == expected.message, promise,
         fmt::format("{}{}\n--\n{}{}", fmt::join(outcome.rows, "\n"), outcome.message,
                     fmt::join(expected.rows, "\n"), expected.message));
}

bool begins_with(const Outcome& longer, const Outcome& beginning) {
  return longer.rows.size() >= beginning.rows.size() &&
         std::equal(beginning.rows.begin(), beginning.rows.end(), longer.rows.begin());
}

bool is_numbered(const Outcome& outcome) {
  return !std::ranges::all_of(outcome.rows,
                              [](const std::string& row) { return row.ends_with(" -1"); });
}

/// Whether leaving out rows of `all` gives `some`.
bool is_part(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  auto from = all.begin();
  return std::ranges::all_of(some, [&](const std::string& row) {
    from = std::find(from, all.end(), row);
    return from != all.end() && (++from, true);
  });
}

/// A run that stops after some rows and resumes ends as one that does not.
void expect_resumable(const std::string& path, const Outcome& whole) {
  Outcome outcome;
  io::StreamPosition position;
  {
    io::TransitionStream stream(path, io::BadRow::skip);
    take_rows(stream, whole.rows.size() / 2, outcome);
    position = stream.position();
  }
  // A last line without an end counts as a row, but not for the position.
  const bool is_incomplete = position.rows < outcome.rows.size();
  if (is_incomplete || outcome.rows.empty()) return;
  io::TransitionStream stream(path, io::BadRow::skip, position);
  take_rows(stream, ~std::size_t{0}, outcome);
  expect(outcome.rows == whole.rows, "a stream that is resumed has the same rows",
         fmt::format("{}\n--\n{}", fmt::join(outcome.rows, "\n"), fmt::join(whole.rows, "\n")));
  expect(stream.position() == whole.position, "a stream that is resumed ends where it would have");
}

std::vector<app::Command> learn_commands(const std::string& path) {
  std::vector<app::Command> commands;
  for (const std::string algorithm : {"td", "td-lambda", "newton"}) {
    for (const std::string option : {"--json", "--skip-bad-rows"}) {
      std::vector<std::string> arguments = {"learn",        path,      "--loss",
                                            "entropic:0.5", "--gamma", "1",
                                            "--algorithm",  algorithm, option};
      if (algorithm == "newton") arguments.insert(arguments.end(), {"--warmup", "3"});
      commands.push_back(command_of(std::move(arguments)));
    }
  }
  return commands;
}

/// `learn` ends with an answer, without one, or with a message that names its input.
void expect_learned(std::string_view bytes) {
  const std::string path = scratch_path();
  static const std::vector<app::Command> commands = learn_commands(path);
  std::ofstream(path, std::ios::binary) << bytes;
  is_accepted(path, [&] {
    const int code = commands[std::hash<std::string_view>{}(bytes) % commands.size()]();
    expect(code == 0 || code == 1, "a run has an answer or none", std::to_string(code));
  });
}

}  // namespace

void read_transitions(std::string_view bytes) {
  constexpr std::size_t room_of_pipe = 64 << 10;
  const MemoryFile file(bytes);
  const std::string path = file.path();
  const Outcome strict = outcome_of(path, io::BadRow::reject);
  const Outcome lenient = outcome_of(path, io::BadRow::skip);
  if (strict.message.empty() || !lenient.message.empty()) {
    expect_same(lenient, strict, "without bad rows, skipping them changes nothing");
  } else {
    expect(begins_with(lenient, strict), "a bad row changes nothing before it");
  }
  const Outcome averager = outcome_of(path, io::BadRow::skip, io::FeatureRule::averager);
  // Whether a row may follow depends on the numbers of those that were accepted.
  if (!is_numbered(lenient) && !is_numbered(averager)) {
    expect(is_part(averager.rows, lenient.rows), "averagers accept some of the rows");
  }
  if (bytes.size() <= room_of_pipe) {
    expect_same(outcome_of(FullPipe(bytes).path(), io::BadRow::skip), lenient,
                "a pipe gives what a file does");
    if (!bytes.empty()) {
      const std::size_t first = 1 + std::hash<std::string_view>{}(bytes) % bytes.size();
      expect_same(outcome_in_pieces(bytes, first), strict, "pieces give what a file does");
    }
  }
  if (const auto padded = with_blanks(bytes)) {
    expect_same(outcome_of(MemoryFile(*padded).path(), io::BadRow::reject), strict,
                "rows on the fast path read the same");
  }
  if (lenient.message.empty()) expect_resumable(path, lenient);
  expect_learned(bytes);
}

}  // namespace shortfall::fuzz
