#include "formats/transition_reader.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>

#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "files/input_file.hpp"
#include "shortfall/errors/error.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

using Source = StreamPosition::Source;

/// Not treated as a pipe if that is unknown: a checkpoint would record it, and no run could
/// continue from it.
Source source_of(int descriptor, const std::string& name) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) reject_input(name, errno);
  return S_ISREG(status.st_mode) ? Source::file : Source::pipe;
}

/// Standard input may be a file that was partly read already.
std::uint64_t first_offset(int descriptor, const std::string& name, const StreamPosition& resume) {
  if (resume.source != Source::none) return resume.bytes;
  const off_t offset = ::lseek(descriptor, 0, SEEK_CUR);
  if (offset < 0 && errno != ESPIPE) reject_input(name, errno);
  return static_cast<std::uint64_t>(std::max<off_t>(offset, 0));
}

}  // namespace

TransitionStream::Reader::Reader(const std::string& path, const RowRules& rules,
                                 const StreamPosition& resume)
    : name_(input_name(path)),
      file_(open_input(path)),
      rules_(rules),
      source_(source_of(file_.get(), name_)),
      window_(longest_transition_line, first_offset(file_.get(), name_, resume)) {
  if (resume.source != Source::none) resume_from(resume);
}

TransitionStream::Next TransitionStream::Reader::next() {
  for (;;) {
    std::string_view text;
    const Taken taken = window_.take_line(text);
    if (taken == Taken::none) {
      if (!window_.at_end()) return Next::starved;
      return end();
    }
    line_ended_ = taken == Taken::line || taken == Taken::rest;
    if (taken == Taken::rest) {
      if (uncount_rest_) uncount();
      if (!replay_.holds_any()) mark_position();
      continue;
    }
    if (to_pass_ > 0 && pass_repeated_line(taken, text)) continue;
    ++taken_.lines;
    was_clipped_ = false;
    const bool may_be_plain = format_ == Format::csv && expect_ == Expect::row &&
                              taken == Taken::line && taken_.blank_lines == 0;
    try {
      const bool is_row = (may_be_plain && csv_.read_plain(text, row_) && follows_rules()) ||
                          read_line(taken, text) == Line::row;
      const bool is_usual = row_.seq == no_seq && numbered_ == Numbered::no;
      if (is_row && (is_usual || is_new_row())) return deliver(taken);
    } catch (const TooManyBadRows&) {
      throw;
    } catch (const InvalidInput& error) {
      if (expect_ != Expect::row || rules_.bad_row == BadRow::reject) throw;
      take_bad_line(taken, taken == Taken::too_long ? "" : text, reason_of(error.what()));
    }
    if (taken == Taken::line && !replay_.holds_any()) mark_position();
    if (taken == Taken::last_line && !replay_.holds_any()) report_bad_lines(false);
  }
}

TransitionStream::Next TransitionStream::Reader::end() {
  if (expect_ == Expect::first_line) {
    reject({.file = name_}, "there is neither a header nor a transition",
           "transitions as CSV or NDJSON");
  }
  if (replay_.may_repeat() && !replay_.holds_only_known()) {
    release_held_lines(Replay::Before::end);
    if (line_ended_) mark_position();
    report_bad_lines(false);
  }
  return Next::end;
}

TransitionStream::Reader::Line TransitionStream::Reader::read_line(Taken taken,
                                                                   std::string_view text) {
  if (may_begin_with_mark_ && text.starts_with(byte_order_mark)) {
    text.remove_prefix(byte_order_mark.size());
    if (expect_ != Expect::first_line) uncounted_ += byte_order_mark.size();
  }
  may_begin_with_mark_ = false;
  const bool has_text = taken != Taken::too_long;
  if (has_text && trimmed(text).empty()) {
    if (!replay_.may_repeat()) {
      ++taken_.blank_lines;
    } else {
      replay_.hold_blank();
      hold("", blank_line);
      if (replay_.holds_only_known()) uncount();
    }
    return Line::passed;
  }
  if (!replay_.may_repeat() && !is_repeated_header(text)) settle_blank_lines();
  const Place place{name_, taken_.lines};
  if (!has_text) {
    if (expect_ != Expect::first_line) expect_ = Expect::row;
    reject(place, "the line is too long",
           fmt::format("at most {} bytes per line", longest_transition_line));
  }
  try {
    return read_text(text, place);
  } catch (const InvalidInput& error) {
    check_is_text(place, text);
    if (taken == Taken::line) throw;
    throw InvalidInput(fmt::format("{} (the line is truncated: it has no line end)", error.what()));
  }
}

void TransitionStream::Reader::settle_blank_lines() {
  if (taken_.blank_lines == 0) return;
  const std::uint64_t first = taken_.lines - taken_.blank_lines;
  if (rules_.bad_row == BadRow::reject || expect_ == Expect::first_line) reject_blank_lines(first);
  for (std::uint64_t line = first; line < taken_.lines; ++line) count_bad(line, "", blank_line);
  taken_.blank_lines = 0;
}

void TransitionStream::Reader::reject_blank_lines(std::uint64_t first) const {
  reject({name_, first}, "the line is blank", blank_lines_accepted);
}

TransitionStream::Reader::Line TransitionStream::Reader::read_text(std::string_view text,
                                                                   const Place& place) {
  if (expect_ == Expect::first_line) {
    format_ = trimmed(text).starts_with('{') ? Format::json : Format::csv;
    if (format_ == Format::csv) return read_header(text, place);
  }
  if (is_repeated_header(text)) return pass_header(text);
  expect_ = Expect::row;
  if (format_ == Format::csv) {
    csv_.read(text, place, row_);
  } else {
    json_.read(text, place, row_);
  }
  if (!follows_rules()) check_rules(place);
  return Line::row;
}

/// Whether a cost outside the range is replaced by its nearer bound.
bool TransitionStream::Reader::clip() {
  const CostRange& costs = rules_.costs;
  if (costs.outside != CostRange::Outside::clip) return false;
  row_.cost() = std::clamp(row_.cost(), costs.low, costs.high);
  return was_clipped_ = true;
}

/// Rejects a row that does not follow the rules.
void TransitionStream::Reader::check_rules(const Place& place) {
  if (rules_.features == FeatureRule::averager) {
    check_averager(row_.phi(), 'x', place);
    check_averager(row_.phi_next(), 'y', place);
  }
  const CostRange& costs = rules_.costs;
  if (costs.holds(row_.cost())) return;
  const std::string found = fmt::format("found {}", row_.cost());
  reject({place.file, place.line, "cost"}, found,
         fmt::format("a cost from {} to {}", costs.low, costs.high));
}

/// Names the first feature that is negative, or the largest of those whose sum is too large.
void TransitionStream::Reader::check_averager(std::span<const double> phi, char letter,
                                              const Place& place) const {
  if (features::is_averager(phi)) return;
  const auto negative = std::ranges::find_if(phi, [](double value) { return value < 0.0; });
  const auto culprit = negative != phi.end() ? negative : std::ranges::max_element(phi);
  const auto number = culprit - phi.begin() + 1;
  const std::string name = format_ == Format::csv ? fmt::format("{}{}", letter, number)
                                                  : fmt::format("element {} of {}", number, letter);
  if (negative != phi.end()) {
    const bool has_columns = format_ == Format::csv;
    reject(
        {place.file, place.line, has_columns ? name : std::string_view()},
        has_columns ? fmt::format("found {}", *negative) : fmt::format("{} is {}", name, *negative),
        features::accepted_by_averagers);
  }
  reject(place,
         fmt::format("the features {} sum to {}, the largest is {}: {}", letter,
                     std::accumulate(phi.begin(), phi.end(), 0.0), name, *culprit),
         features::accepted_by_averagers);
}

TransitionStream::Reader::Line TransitionStream::Reader::read_header(std::string_view text,
                                                                     const Place& place) {
  csv_ = TransitionCsv(text, place);
  header_ = trimmed(text);
  set_dimension(csv_.dimension());
  expect_ = Expect::row;
  return Line::passed;
}

TransitionStream::Reader::Line TransitionStream::Reader::pass_header(std::string_view text) {
  if (!csv_.same_columns(TransitionCsv(text, {.file = name_}))) {
    reject({.file = name_}, "the header differs from that of the checkpoint",
           "the same columns, or no header");
  }
  --taken_.lines;
  uncounted_ += text.size() + 1;
  expect_ = Expect::row;
  return Line::passed;
}

void TransitionStream::Reader::set_dimension(std::size_t d) {
  if (row_.dimension() != d) row_.set_dimension(d);
  transition_ = {.phi = row_.phi(), .phi_next = row_.phi_next()};
}

void TransitionStream::Reader::mark_position() {
  if (expect_ == Expect::first_line) return;
  has_position_ = true;
  taken_.dimension = static_cast<std::uint32_t>(row_.dimension());
  taken_.bytes = window_.offset() - uncounted_;
  complete_ = taken_;
  report_bad_lines(true);
}

TransitionStream::Next TransitionStream::Reader::deliver(Taken taken) {
  if (transition_.phi.empty()) set_dimension(row_.dimension());
  transition_.cost = row_.cost();
  transition_.terminal = row_.terminal;
  transition_.weight = row_.weight();
  transition_.seq = row_.seq == no_seq ? std::nullopt : std::optional<std::uint64_t>(row_.seq);
  transition_.line_ended = taken == Taken::line;
  ++taken_.rows;
  taken_.skipped_at_row = taken_.skipped_rows;
  taken_.last_seq = std::max(taken_.last_seq, row_.seq);
  if (was_clipped_) ++taken_.clipped_rows;
  if (transition_.line_ended) mark_position();
  if (!transition_.line_ended) report_bad_lines(false);
  return Next::row;
}

bool TransitionStream::Reader::fill() {
  const long count = window_.fill(file_.get());
  const bool comes_later = errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
  if (count < 0 && !comes_later) reject_input(name_, errno);
  return count != 0;
}

StreamPosition TransitionStream::Reader::position() const {
  if (!has_position_) return {};
  return {.source = source_,
          .dimension = complete_.dimension,
          .fingerprint =
              is_regular_file() ? fingerprint_before(complete_.bytes, file_.get(), name_) : 0,
          .bytes = complete_.bytes,
          .lines = complete_.lines,
          .rows = complete_.rows,
          .skipped_rows = complete_.skipped_rows,
          .blank_lines = complete_.blank_lines,
          .skipped_since_row = complete_.skipped_rows - complete_.skipped_at_row,
          .seen = replay_.seen().bounds(complete_.last_seq),
          .header = header_,
          .clipped_rows = complete_.clipped_rows,
          .bad_block = complete_.bad_block,
          .bad_in_block = complete_.bad_in_block};
}

}  // namespace shortfall::io
