#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/file_descriptor.hpp"
#include "files/line_windows.hpp"
#include "formats/replay.hpp"
#include "formats/transition_csv.hpp"
#include "formats/transition_json.hpp"
#include "formats/transition_row.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/transition_stream.hpp"

namespace shortfall::io {

/// Bad rows are skipped, but these are too many.
struct TooManyBadRows : InvalidInput {
  using InvalidInput::InvalidInput;
};

inline constexpr std::string_view blank_line =
    "the line is blank; accepted: blank lines after the last row only";
inline constexpr std::string_view blank_lines_accepted = blank_line.substr(29);

/// Implementation of TransitionStream: interprets the lines and keeps the position.
class TransitionStream::Reader {
 public:
  Reader(const std::string& path, const RowRules& rules, const StreamPosition& resume);

  /// The input begins with this row of the stream: those before the position are passed over.
  void begin_with_row(std::uint64_t row);
  Next next();
  bool fill();
  StreamPosition position() const;

  const Transition& transition() const { return transition_; }
  const std::string& name() const { return name_; }
  int descriptor() const { return file_.get(); }
  bool is_regular_file() const { return source_ == StreamPosition::Source::file; }
  std::size_t dimension() const { return row_.dimension(); }
  std::uint64_t rows() const { return taken_.rows; }
  std::uint64_t skipped_rows() const { return taken_.skipped_rows; }
  std::uint64_t clipped_rows() const { return taken_.clipped_rows; }
  std::uint64_t replayed_rows() const { return replayed_; }
  const std::vector<std::string>& ignored() const {
    return format_ == Format::csv ? csv_.ignored() : json_.ignored();
  }
  std::size_t buffer_bytes() const { return window_.capacity(); }

 private:
  /// What is expected in the next line.
  enum class Expect {
    first_line,     ///< a header, or a row of NDJSON
    header_or_row,  ///< at the start of a pipe after a resume
    row
  };
  enum class Format { unknown, csv, json };
  enum class Line { passed, row };
  enum class Numbered { unknown, yes, no };

  /// A bad line, with its number among lines once that is known.
  struct BadText {
    std::uint64_t number;
    std::string text, reason;
  };

  /// A place in the stream, at the end of a line.
  struct Cursor {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::uint64_t rows = 0;
    std::uint64_t skipped_rows = 0;
    std::uint64_t skipped_at_row = 0;  ///< skipped before the last row
    std::uint64_t blank_lines = 0;     ///< right before
    std::uint64_t clipped_rows = 0;
    std::uint64_t bad_block = 0;
    std::uint64_t bad_in_block = 0;
    std::int64_t last_seq = no_seq;
    std::uint32_t dimension = 0;
  };

  void resume_from(const StreamPosition& resume);
  void check_same_file(const StreamPosition& resume) const;
  Line read_line(Taken taken, std::string_view text);
  Line read_text(std::string_view text, const Place& place);
  Line read_header(std::string_view text, const Place& place);
  Line pass_header(std::string_view text);
  bool follows_rules() {
    return (rules_.features == FeatureRule::finite || row_.is_averager()) &&
           (rules_.costs.holds(row_.cost()) || clip());
  }
  bool clip();
  void check_rules(const Place& place);
  void check_averager(std::span<const double> phi, char letter, const Place& place) const;
  void settle_blank_lines();
  void reject_blank_lines(std::uint64_t first) const;
  bool is_repeated_header(std::string_view text) const;
  bool pass_repeated_line(Taken taken, std::string_view text);
  void uncount();
  void take_bad_line(Taken taken, std::string_view text, std::string_view reason);
  void hold(std::string_view text, std::string_view reason);
  void forget_held_lines() {
    held_.clear();
    held_bytes_ = 0;
  }
  void count_bad(std::uint64_t line, std::string_view text, std::string_view reason);
  void report_bad_lines(bool line_ended);
  std::string_view reason_of(std::string_view message) const;
  std::uint64_t row_of(std::uint64_t line) const { return line - (header_.empty() ? 0 : 1); }
  bool is_new_row();
  void check_is_numbered();
  void release_held_lines(Replay::Before before);
  Next end();
  void set_dimension(std::size_t d);
  void mark_position();
  Next deliver(Taken taken);

  std::string name_;
  FileDescriptor file_;
  RowRules rules_;
  StreamPosition::Source source_;
  ByteWindow window_;
  Expect expect_ = Expect::first_line;
  Format format_ = Format::unknown;
  TransitionCsv csv_;
  TransitionJson json_;
  TransitionRow row_;
  Transition transition_;
  Replay replay_;
  std::vector<BadText> held_;  // bad lines of a pipe that may have been sent before
  std::size_t held_bytes_ = 0;
  std::vector<BadText> bad_;  // skipped since the last position
  Numbered numbered_ = Numbered::unknown;
  std::string header_;
  Cursor taken_;                 // after all lines taken, an incomplete last one included
  Cursor complete_;              // after those that will not be read again
  bool has_position_ = false;    // the header, or a line of NDJSON, is among them
  std::uint64_t uncounted_ = 0;  // bytes repeated after a resume
  std::uint64_t to_pass_ = 0;    // lines that the input will repeat
  std::uint64_t replayed_ = 0;
  bool uncount_rest_ = false;        // of a line that is too long
  bool line_ended_ = true;           // the last line taken
  bool was_clipped_ = false;         // the cost of the row read last
  bool may_begin_with_mark_ = true;  // the next line is the first of the input
};

}  // namespace shortfall::io
