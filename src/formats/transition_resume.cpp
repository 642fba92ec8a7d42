#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "files/input_file.hpp"
#include "formats/transition_reader.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

/// How a reader continues after an interruption: at a position of the file, or on a pipe that may
/// repeat a header and rows.
namespace shortfall::io {

void TransitionStream::Reader::resume_from(const StreamPosition& resume) {
  if (resume.source != source_) {
    reject({.file = name_},
           is_regular_file() ? "this is a file, but the checkpoint was made from a pipe"
                             : "this is not a file, but the checkpoint was made from one",
           "the input that the checkpoint was made from, or no checkpoint");
  }
  if (is_regular_file()) check_same_file(resume);
  if (!SeenNumbers::are_bounds(resume.seen)) {
    reject({.file = name_}, "the checkpoint has sequence numbers that do not increase",
           "those of a stream");
  }
  replay_ = Replay(SeenNumbers(resume.seen),
                   is_regular_file() ? Replay::Source::file : Replay::Source::pipe,
                   resume.skipped_since_row + resume.blank_lines);
  taken_ = {.bytes = resume.bytes,
            .lines = resume.lines,
            .rows = resume.rows,
            .skipped_rows = resume.skipped_rows,
            .skipped_at_row =
                resume.skipped_rows - std::min(resume.skipped_rows, resume.skipped_since_row),
            .blank_lines = resume.blank_lines,
            .clipped_rows = resume.clipped_rows,
            .bad_block = resume.bad_block,
            .bad_in_block = resume.bad_in_block,
            .last_seq = replay_.last(),
            .dimension = resume.dimension};
  complete_ = taken_;
  has_position_ = true;
  header_ = resume.header;
  may_begin_with_mark_ = !is_regular_file();
  format_ = resume.header.empty() ? Format::json : Format::csv;
  if (format_ == Format::csv) csv_ = TransitionCsv(resume.header, {.file = name_});
  const bool fits_header = format_ == Format::json || csv_.dimension() == resume.dimension;
  if (resume.dimension > longest_transition_line || !fits_header) {
    reject({.file = name_}, fmt::format("the checkpoint has d = {}", resume.dimension),
           "the d of its header, small enough to fit on a line");
  }
  if (resume.rows > 0 || format_ == Format::csv) {
    numbered_ = !resume.seen.empty() || csv_.has_seq() ? Numbered::yes : Numbered::no;
  }
  set_dimension(resume.dimension);
  expect_ = is_regular_file() ? Expect::row : Expect::header_or_row;
}

void TransitionStream::Reader::check_same_file(const StreamPosition& resume) const {
  constexpr std::string_view accepted = "that file, unchanged or longer";
  constexpr std::string_view problem = "this is not the file that the checkpoint was made from";
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) reject_input(name_, errno);
  if (static_cast<std::uint64_t>(status.st_size) < resume.bytes) {
    reject({.file = name_},
           fmt::format("{}: it has {} bytes, but {} had been read", problem, status.st_size,
                       resume.bytes),
           accepted);
  }
  if (fingerprint_before(resume.bytes, file_.get(), name_) != resume.fingerprint) {
    reject({.file = name_},
           fmt::format("{}: the content before byte {} has changed", problem, resume.bytes),
           accepted);
  }
  if (::lseek(file_.get(), static_cast<off_t>(resume.bytes), SEEK_SET) < 0) {
    reject_input(name_, errno);
  }
}

void TransitionStream::Reader::begin_with_row(std::uint64_t row) {
  if (is_regular_file()) {
    reject({.file = name_}, "this is a file",
           "a pipe: a file continues at the checkpoint's position");
  }
  if (numbered_ == Numbered::yes) {
    reject({.file = name_}, "the stream has seq, which shows what was seen", "a pipe without seq");
  }
  const std::uint64_t next = position().next_row();
  if (row < 1 || row > next) {
    reject({.file = name_}, fmt::format("it begins with row {}, but row {} is next", row, next),
           next == 1 ? "1" : fmt::format("1 to {}", next));
  }
  to_pass_ = next - row;
}

bool TransitionStream::Reader::is_repeated_header(std::string_view text) const {
  return expect_ == Expect::header_or_row && format_ == Format::csv &&
         (TransitionCsv::begins_as_header(text) || trimmed(text) == header_);
}

/// Passes over a line that was read before the resume, unless it is a repeated header.
bool TransitionStream::Reader::pass_repeated_line(Taken taken, std::string_view text) {
  if (may_begin_with_mark_ && text.starts_with(byte_order_mark)) {
    text.remove_prefix(byte_order_mark.size());
  }
  if (is_repeated_header(text)) return false;
  may_begin_with_mark_ = false;
  expect_ = Expect::row;
  --to_pass_;
  ++replayed_;
  uncount();
  uncount_rest_ = taken == Taken::too_long;
  return true;
}

/// What a pipe has sent so far was there before the resume.
void TransitionStream::Reader::uncount() {
  uncounted_ = window_.offset() - complete_.bytes;
}

void TransitionStream::Reader::take_bad_line(Taken taken, std::string_view text,
                                             std::string_view reason) {
  if (!replay_.may_repeat()) {
    count_bad(taken_.lines, text, reason);
    return;
  }
  replay_.hold_bad();
  hold(text, reason);
  uncount_rest_ = false;
  if (!replay_.holds_only_known()) return;
  uncount();
  uncount_rest_ = taken == Taken::too_long;
}

/// Keeps what a bad line holds until it is known whether it was sent before. Those that may have
/// been are not kept.
void TransitionStream::Reader::hold(std::string_view text, std::string_view reason) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  if (replay_.held() <= replay_.known() || held_bytes_ > most_bytes) return;
  held_.push_back({0, std::string(text), std::string(reason)});
  held_bytes_ += sizeof(BadText) + text.size() + reason.size();
}

void TransitionStream::Reader::count_bad(std::uint64_t line, std::string_view text,
                                         std::string_view reason) {
  const std::uint64_t row = row_of(line);
  const std::uint64_t block = (row - 1) / rows_of_bad_share;
  if (block != taken_.bad_block) taken_.bad_in_block = 0;
  taken_.bad_block = block;
  const double most = rules_.largest_bad_share * static_cast<double>(rows_of_bad_share);
  if (static_cast<double>(taken_.bad_in_block + 1) > most) {
    throw TooManyBadRows(fmt::format(
        "{}: {} of the rows {} to {} are bad, the last in line {}: {} (accepted: at "
        "most {:g} bad rows in {})",
        name_, taken_.bad_in_block + 1, block * rows_of_bad_share + 1,
        (block + 1) * rows_of_bad_share, line, reason, std::floor(most), rows_of_bad_share));
  }
  ++taken_.bad_in_block;
  ++taken_.skipped_rows;
  if (rules_.on_bad_line) bad_.push_back({line, std::string(text), std::string(reason)});
}

/// Once a position covers them, or if none will.
void TransitionStream::Reader::report_bad_lines(bool line_ended) {
  for (const BadText& bad : bad_) {
    rules_.on_bad_line({.row = row_of(bad.number),
                        .line = bad.number,
                        .reason = bad.reason,
                        .text = bad.text,
                        .line_ended = line_ended});
  }
  bad_.clear();
}

/// A message without the place at its beginning.
std::string_view TransitionStream::Reader::reason_of(std::string_view message) const {
  const std::string place = fmt::format("{}, line {}", name_, taken_.lines);
  if (message.starts_with(place)) message.remove_prefix(place.size());
  message.remove_prefix(std::min(message.find_first_not_of(",: "), message.size()));
  return message;
}

/// Whether the row has not been read before. Throws InvalidInput if its number is not one
/// that may follow.
bool TransitionStream::Reader::is_new_row() {
  check_is_numbered();
  if (row_.seq == no_seq) return true;
  const bool may_repeat = replay_.may_repeat();
  const std::int64_t last = replay_.last();
  switch (replay_.take(row_.seq)) {
    case Replay::Row::fresh:
      if (may_repeat) release_held_lines(Replay::Before::row);
      return true;
    case Replay::Row::replayed:
      ++replayed_;
      if (may_repeat) {
        taken_.lines = complete_.lines;
        forget_held_lines();
        uncount();
      }
      return false;
    case Replay::Row::backwards:
      reject({name_, taken_.lines, "seq"}, fmt::format("{} follows {}", row_.seq, last),
             "larger numbers from row to row, or rows seen before");
  }
  return true;
}

void TransitionStream::Reader::check_is_numbered() {
  const Numbered found = row_.seq == no_seq ? Numbered::no : Numbered::yes;
  if (numbered_ == Numbered::unknown) numbered_ = found;
  if (found == numbered_) return;
  reject({name_, taken_.lines}, found == Numbered::no ? "seq is missing" : "there is a seq",
         found == Numbered::no ? "one in every row, as in those before"
                               : "none, as in the rows before");
}

/// Counts the lines that were held until the first new row, or the end, showed that they are new.
void TransitionStream::Reader::release_held_lines(Replay::Before before) {
  const Replay::Held held = replay_.release(before);
  taken_.lines -= held.known;
  if (before == Replay::Before::row || held.bad > 0) {  // then the blank lines before are bad, too
    const std::uint64_t bad = taken_.blank_lines + held.bad;
    const std::uint64_t behind =
        taken_.lines + (before == Replay::Before::row ? 0 : 1) - held.blank;
    if (bad > 0 && rules_.bad_row == BadRow::reject) reject_blank_lines(behind - bad);
    const std::uint64_t first_held = behind - held.bad;
    for (std::uint64_t line = behind - bad; line < behind; ++line) {
      if (line < first_held) {
        count_bad(line, "", blank_line);
      } else if (const std::uint64_t i = line - first_held; i < held_.size()) {
        count_bad(line, held_[i].text, held_[i].reason);
      } else {
        count_bad(line, "", "its text was not kept: there are too many before the first new row");
      }
    }
    taken_.blank_lines = 0;
  }
  forget_held_lines();
  taken_.blank_lines += held.blank;
}

}  // namespace shortfall::io
