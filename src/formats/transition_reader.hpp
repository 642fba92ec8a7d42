#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"
#include "files/line_windows.hpp"
#include "formats/replay.hpp"
#include "formats/transition_csv.hpp"
#include "formats/transition_json.hpp"
#include "formats/transition_row.hpp"
#include "shortfall/formats/transition_stream.hpp"

namespace shortfall::io {

/// Implementation of TransitionStream: interprets the lines and keeps the position.
class TransitionStream::Reader {
 public:
  Reader(const std::string& path, BadRow bad_row, const StreamPosition& resume, FeatureRule rule);

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
  std::uint64_t replayed_rows() const { return replayed_; }
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

  /// A place in the stream, at the end of a line.
  struct Cursor {
    std::uint64_t bytes = 0;
    std::uint64_t lines = 0;
    std::uint64_t rows = 0;
    std::uint64_t skipped_rows = 0;
    std::uint64_t skipped_at_row = 0;  ///< skipped before the last row
    std::uint64_t blank_lines = 0;     ///< right before
    std::int64_t last_seq = no_seq;
    std::uint32_t dimension = 0;
  };

  void resume_from(const StreamPosition& resume);
  void check_same_file(const StreamPosition& resume) const;
  Line read_line(Taken taken, std::string_view text);
  Line read_text(std::string_view text, const Place& place);
  Line read_header(std::string_view text, const Place& place);
  Line pass_header(std::string_view text);
  bool follows_rule() { return rule_ == FeatureRule::finite || row_.is_averager(); }
  void check_averager(std::span<const double> phi, char letter, const Place& place) const;
  void settle_blank_lines();
  void reject_blank_lines(std::uint64_t first) const;
  bool is_repeated_header(std::string_view text) const;
  bool pass_repeated_line(Taken taken, std::string_view text);
  void uncount();
  void take_bad_line(Taken taken);
  bool is_new_row();
  void check_is_numbered();
  void release_held_lines(Replay::Before before);
  Next end();
  void set_dimension(std::size_t d);
  void mark_position();
  Next deliver(Taken taken);

  std::string name_;
  FileDescriptor file_;
  BadRow bad_row_;
  FeatureRule rule_;
  StreamPosition::Source source_;
  ByteWindow window_;
  Expect expect_ = Expect::first_line;
  Format format_ = Format::unknown;
  TransitionCsv csv_;
  TransitionJson json_;
  TransitionRow row_;
  Transition transition_;
  Replay replay_;
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
  bool may_begin_with_mark_ = true;  // the next line is the first of the input
};

}  // namespace shortfall::io
