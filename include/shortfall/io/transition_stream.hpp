#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

/// Transitions, one a line, from a file or from a pipe that may never end.
///
/// CSV has a header `x1,..,xd,y1,..,yd,cost[,terminal]`, columns in any order: x are the features
/// now, y the features next. NDJSON has lines `{"x":[..],"y":[..],"cost":c,"terminal":false}`, keys
/// in any order. The first byte that is not blank decides: `{` is NDJSON. `terminal` is 0, 1, true
/// or false, and false where it is not there; where it is true y is not used, and may be empty
/// fields, [], null or absent. d is at least 1 and the same in all lines. Numbers are finite.
/// Beyond that, CSV is as csv.hpp has it; a byte-order mark is accepted.
namespace shortfall::io {

/// The longest line of a stream, in bytes without the \n; csv.hpp's limit would be d ≈ 1300.
inline constexpr std::size_t longest_transition_line = std::size_t{1} << 20;

/// What happens at a line that is no row. A bad header is always rejected, and so is a blank line
/// before the header or, in NDJSON, before the first line.
enum class BadRow {
  reject,  ///< InvalidInput that names the line
  skip     ///< it is counted and passed over
};

/// Views into the stream, valid until its next call of next().
struct Transition {
  std::span<const double> phi;       ///< x
  std::span<const double> phi_next;  ///< y; zeros where terminal
  double cost = 0.0;
  bool terminal = false;
  bool line_ended = true;  ///< false: the input ended inside or right after this line
};

/// How far a stream has been read: what a checkpoint stores. The default is the beginning. It is
/// always at the begin of a line. A last line without line end may be half of one, so it counts for
/// the result but not for the position: who goes on from there reads it again, when it is whole.
struct StreamPosition {
  enum class Source : std::uint8_t { none, file, pipe };

  Source source = Source::none;    ///< none: nothing has been read, all else is at its default
  std::uint32_t dimension = 0;     ///< 0: NDJSON of which all lines so far were bad
  std::uint32_t fingerprint = 0;   ///< of what stands before in the file; 0 for a pipe
  std::uint64_t bytes = 0;         ///< offset in the file; in a pipe, what came through
  std::uint64_t lines = 0;         ///< the header included
  std::uint64_t rows = 0;          ///< rows of the lines before
  std::uint64_t skipped_rows = 0;  ///< bad lines before
  std::uint64_t blank_lines = 0;   ///< the last so many before are blank: bad if a row follows
  std::string header = {};         ///< the header of CSV; empty: NDJSON

  bool operator==(const StreamPosition&) const = default;
};

/// Reads transitions in constant memory: a buffer of 256 KiB that grows only for a line that does
/// not fit. A row is there as soon as its line is; the stream never waits unless told to by fill():
///
///     TransitionStream in(path);
///     for (;;) {
///       switch (in.next()) {
///         case TransitionStream::Next::row: use(in.transition()); break;
///         case TransitionStream::Next::starved: in.fill(); break;
///         case TransitionStream::Next::end: return;
///       }
///     }
class TransitionStream {
 public:
  /// What next() found.
  enum class Next {
    row,      ///< transition() has it
    starved,  ///< no whole line has been read: call fill()
    end       ///< the input is used up
  };

  /// Opens `path`, or standard input where it is `-` or `/dev/stdin`, and goes on from `resume`.
  /// - A regular file must be the one that the position was taken in, as it was or longer, and is
  ///   read from there. Of what stands before, the first and the last 4096 bytes are compared.
  ///   Standard input may be a regular file, too.
  /// - Of anything else, a pipe, what comes is taken for the rest, with or without the header
  ///   repeated. A repeated header or byte-order mark counts in no line and no byte.
  /// All that follows, positions included, is as if there had been no interruption. Throws
  /// InvalidInput where the file cannot be opened or does not fit the position.
  explicit TransitionStream(const std::string& path, BadRow bad_row = BadRow::reject,
                            const StreamPosition& resume = {});
  TransitionStream(TransitionStream&&) noexcept;
  TransitionStream& operator=(TransitionStream&&) noexcept;
  ~TransitionStream();

  /// Takes the next line of the buffer. Throws InvalidInput that names the file, the line, what was
  /// found and what is accepted:
  /// - a header that is missing, or lacks, repeats or does not know a column;
  /// - a line that is no row, unless bad rows are skipped. A blank line is one if a row follows;
  /// - a last line without line end that is no row, said to be truncated; one that is a row is
  ///   returned, with line_ended false;
  /// - input without a line that is not blank, unless this goes on from a position.
  [[nodiscard]] Next next();

  /// The row that next() found last.
  const Transition& transition() const;

  /// Reads once from the file, and waits for what a pipe has to say. A signal ends the wait without
  /// progress, so that the caller can look. False at the end of the input. Throws InvalidInput
  /// where reading fails.
  bool fill();

  int descriptor() const;         ///< for poll()
  bool is_regular_file() const;   ///< then descriptor() is always ready
  std::size_t dimension() const;  ///< d; 0 until the header or the first row of NDJSON is read

  /// Where the stream stands: after the last line with a line end that was the header, a row
  /// returned, skipped or blank. Throws InvalidInput where a file has become shorter than that.
  StreamPosition position() const;

  std::uint64_t rows() const;          ///< rows returned and those before `resume`
  std::uint64_t skipped_rows() const;  ///< lines skipped, likewise
  std::size_t buffer_bytes() const;    ///< size of the buffer
  const std::string& name() const;     ///< input_name(path), for messages

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace shortfall::io
