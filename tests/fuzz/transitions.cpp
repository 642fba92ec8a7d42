#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "shortfall/formats/transition_stream.hpp"
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

}  // namespace

void read_transitions(std::string_view bytes) {
  constexpr std::size_t room_of_pipe = 64 << 10;
  const MemoryFile file(bytes);
  const std::string path = file.path();
  const Outcome strict = outcome_of(path, io::BadRow::reject);
  const Outcome lenient = outcome_of(path, io::BadRow::skip);
  if (strict.message.empty() || !lenient.message.empty()) {
    expect(lenient.rows == strict.rows && lenient.message == strict.message,
           "without bad rows, skipping them changes nothing", strict.message + lenient.message);
  } else {
    expect(begins_with(lenient, strict), "a bad row changes nothing before it");
  }
  const Outcome averager = outcome_of(path, io::BadRow::skip, io::FeatureRule::averager);
  // Whether a row may follow depends on the numbers of those that were accepted.
  if (!is_numbered(lenient) && !is_numbered(averager)) {
    expect(is_part(averager.rows, lenient.rows), "averagers accept some of the rows");
  }
  if (bytes.size() <= room_of_pipe) {
    const Outcome piped = outcome_of(FullPipe(bytes).path(), io::BadRow::skip);
    expect(piped.rows == lenient.rows && piped.message == lenient.message,
           "a pipe gives what a file does", piped.message + lenient.message);
  }
  if (lenient.message.empty()) expect_resumable(path, lenient);
}

}  // namespace shortfall::fuzz
