#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Transitions, one per line, from a file or from a pipe that may never end.
///
/// CSV has a header `x1,..,xd,y1,..,yd,cost[,terminal][,weight][,seq]`, columns in any order: x are
/// the current features, y the next ones. NDJSON has lines
/// `{"x":[..],"y":[..],"cost":c,"terminal":false,"weight":1,"seq":0}`, the last three keys
/// optional, keys in any order. If the first non-blank byte is `{`, the format is NDJSON.
/// `terminal` is 0, 1, true or false, and defaults to false; if it is true, y is not used, and may
/// be empty fields, [], null or absent. `weight`, an importance ratio, is 0 or more and defaults
/// to 1. `seq` numbers the rows, with integers from 0 to 2^63 - 1 that increase, possibly with
/// gaps: all rows have it, or
/// none. A row whose number was seen before is passed over. d is at least 1 and the same in all
/// lines. Other columns and keys are ignored, see ignored(), but not those that look like another
/// spelling of these, such as Cost or x0. Numbers are finite. Otherwise CSV is as in csv.hpp; a
/// byte-order mark is accepted.
namespace shortfall::io {

/// The longest line of a stream, in bytes without the \n; csv.hpp's limit would allow only d ≈
/// 1300.
inline constexpr std::size_t longest_transition_line = std::size_t{1} << 20;

/// What to do with a line that is not a valid row. A bad header is always rejected, and so is a
/// blank line before the header or, in NDJSON, before the first line.
enum class BadRow {
  reject,  ///< InvalidInput that names the line
  skip     ///< count it and continue
};

/// Which features are valid. In a terminal row, y is not used and may be anything.
enum class FeatureRule {
  finite,   ///< all numbers
  averager  ///< what averagers accept: nonnegative, with a sum of at most 1 (sparse_features.hpp)
};

/// Costs that a stream accepts. A row with another one is a bad row, or its cost is replaced by the
/// nearer bound, and counted.
struct CostRange {
  enum class Outside { bad_row, clip };

  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  Outside outside = Outside::bad_row;

  bool is_limited() const {
    return low > -std::numeric_limits<double>::infinity() ||
           high < std::numeric_limits<double>::infinity();
  }
  /// Whether there is a number that it holds.
  bool holds_any() const {
    return low <= high && low < std::numeric_limits<double>::infinity() &&
           high > -std::numeric_limits<double>::infinity();
  }
  bool holds(double cost) const { return cost >= low && cost <= high; }
};

/// A line that was skipped. The views are valid while it is reported.
struct BadLine {
  std::uint64_t row = 0;    ///< its number among rows, from 1 on; bad ones count
  std::uint64_t line = 0;   ///< its number among lines, from 1 on; a header counts
  std::string_view reason;  ///< what is wrong, and what is accepted
  std::string_view text;    ///< the line; empty if it is blank or too long
  /// False if the position does not cover it, because the input ended without a line end: a
  /// resumed run reads and reports it again.
  bool line_ended = true;
};

/// Which lines of a stream are rows, and what happens to the others.
struct RowRules {
  BadRow bad_row = BadRow::reject;
  FeatureRule features = FeatureRule::finite;
  CostRange costs = {};
  /// If more than this share of the rows 1 to 1000, or of 1001 to 2000, .. is bad, next() throws
  /// InvalidInput as if bad rows were not skipped. 1: however many there are.
  double largest_bad_share = 1.0;
  /// Called with each bad line that is skipped, in order, before the row after it is returned. If a
  /// resumed pipe begins with more than 1 MiB of bad lines that are new, later ones have no text.
  std::function<void(const BadLine&)> on_bad_line = {};
};

/// The size of the blocks of rows in which RowRules::largest_bad_share limits bad rows.
inline constexpr std::uint64_t rows_of_bad_share = 1000;

/// Views into the stream, valid until its next call of next().
struct Transition {
  std::span<const double> phi;       ///< x
  std::span<const double> phi_next;  ///< y; zeros where terminal
  double cost = 0.0;
  bool terminal = false;
  double weight = 1.0;
  std::optional<std::uint64_t> seq = {};
  bool line_ended = true;  ///< false: the input ended without a line end
};

/// How far a stream has been read, as stored in a checkpoint. The default is the beginning. The
/// position is always at the start of a line. A last line without a line end may be incomplete, so
/// it counts for the result but not for the position: a resumed run reads it again, once it is
/// complete.
struct StreamPosition {
  enum class Source : std::uint8_t { none, file, pipe };

  Source source = Source::none;    ///< none: nothing has been read, all other members are defaults
  std::uint32_t dimension = 0;     ///< 0: NDJSON with only bad lines so far
  std::uint32_t fingerprint = 0;   ///< of the content before, in a file; 0 for a pipe
  std::uint64_t bytes = 0;         ///< offset in the file, or bytes received from a pipe
  std::uint64_t lines = 0;         ///< the header included
  std::uint64_t rows = 0;          ///< rows of the lines before
  std::uint64_t skipped_rows = 0;  ///< bad lines before
  std::uint64_t blank_lines = 0;   ///< blank lines right before: bad if a row follows
  /// Bad lines since the last row: a replay repeats them.
  std::uint64_t skipped_since_row = 0;
  /// The sequence numbers of rows before, as first and last numbers of ranges, in order.
  std::vector<std::int64_t> seen = {};
  std::string header = {};         ///< the header of CSV; empty: NDJSON
  std::uint64_t clipped_rows = 0;  ///< with a cost outside the range, of those before
  std::uint64_t bad_block = 0;     ///< the last block of a thousand rows with a bad row, from 0 on
  std::uint64_t bad_in_block = 0;  ///< bad rows of this block

  /// The number of the next row, from 1 on. Bad rows count.
  std::uint64_t next_row() const { return lines - (header.empty() ? 0 : 1) + 1; }

  bool operator==(const StreamPosition&) const = default;

  template <class Archive>
  void archive(Archive& state) {
    state(source);
    state(dimension);
    state(fingerprint);
    state(bytes);
    state(lines);
    state(rows);
    state(skipped_rows);
    state(blank_lines);
    state(skipped_since_row);
    std::uint64_t size = seen.size();
    state(size);
    if constexpr (requires { state.expect(size); }) state.expect(size);
    seen.resize(size);
    state(seen, "seen");
    state(header);
  }
  /// Since version 3 of checkpoints.
  template <class Archive>
  void archive_counts(Archive& state) {
    state(clipped_rows);
    state(bad_block);
    state(bad_in_block);
  }
};

/// Goes through the rows of a stream in a range-for loop, and waits for each.
template <class Stream>
class TransitionIterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = Transition;
  using difference_type = std::ptrdiff_t;

  explicit TransitionIterator(Stream& stream) : stream_(&stream), has_row_(stream.advance()) {}
  const Transition& operator*() const { return stream_->transition(); }
  TransitionIterator& operator++() {
    has_row_ = stream_->advance();
    return *this;
  }
  void operator++(int) { ++*this; }
  bool operator==(std::default_sentinel_t) const { return !has_row_; }

 private:
  Stream* stream_;
  bool has_row_;
};

/// Reads transitions in constant memory: a buffer of 256 KiB that grows only for a line that does
/// not fit. A row is available as soon as its line is complete:
///
///     TransitionStream in(path);
///     for (const Transition& row : in) use(row);
///
/// Programs that wait in their own way call next(), which takes what is buffered, and fill(), which
/// alone waits for input:
///
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
    starved,  ///< no complete line is buffered: call fill()
    end       ///< the input has ended
  };

  /// Opens `path`, or standard input if it is `-` or `/dev/stdin`, and continues from `resume`.
  /// - A regular file must be the one of the position, unchanged or longer, and is read from there.
  ///   Of the content before, the first and the last 4096 bytes are compared. Standard input may be
  ///   a regular file, too.
  /// - Any other input, such as a pipe, must continue after the position; it may repeat the header.
  ///   A repeated header or byte-order mark counts neither as a line nor as bytes.
  /// - A pipe may also repeat rows already read and then continue, if the rows have `seq`: from any
  ///   row on, at the latest from the line after the last row. Without `seq`, see begin_with_row().
  /// All further results, positions included, are as if there had been no interruption. Throws
  /// InvalidInput if the file cannot be opened or does not fit the position.
  explicit TransitionStream(const std::string& path, BadRow bad_row = BadRow::reject,
                            const StreamPosition& resume = {},
                            FeatureRule rule = FeatureRule::finite);
  TransitionStream(const std::string& path, const RowRules& rules,
                   const StreamPosition& resume = {});
  TransitionStream(TransitionStream&&) noexcept;
  TransitionStream& operator=(TransitionStream&&) noexcept;
  ~TransitionStream();

  /// For a pipe without `seq` that repeats rows already read: it begins with this row of the
  /// stream, in which bad rows count, too, and passes over rows up to the position. Call it before
  /// next(). Throws InvalidInput for a row that is not from 1 to the position's next_row(), for a
  /// file, and for a stream with `seq`.
  void begin_with_row(std::uint64_t row);

  /// Takes the next line of the buffer. Throws InvalidInput that names the file, the line, what was
  /// found and what is accepted:
  /// - a header that is missing, or a column that is missing, repeated or badly spelled;
  /// - a line that is not a row, or has features or a cost that the rules exclude, or a blank line
  ///   before a row, unless bad rows are skipped, or if they are too many;
  /// - a row, likewise, whose `seq` is smaller than an earlier one and new;
  /// - a last line without a line end that is not a row, reported as truncated; a valid row is
  ///   returned with line_ended false;
  /// - input with only blank lines, unless resumed from a position.
  [[nodiscard]] Next next();

  /// The row that next() found last.
  const Transition& transition() const;

  /// next() and fill() until there is a row, or false at the end.
  bool advance();
  TransitionIterator<TransitionStream> begin() { return TransitionIterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  /// Reads once from the input, and waits if a pipe has no data yet. A signal ends the wait without
  /// progress, so that the caller can handle it. False at the end of the input. Throws InvalidInput
  /// if reading fails.
  bool fill();

  int descriptor() const;         ///< for poll()
  bool is_regular_file() const;   ///< then descriptor() is always ready
  std::size_t dimension() const;  ///< d; 0 until the header or the first row of NDJSON is read

  /// The position after the last complete line that was the header, a returned row, skipped or
  /// blank. Throws InvalidInput if a file has become shorter than that.
  StreamPosition position() const;

  std::uint64_t rows() const;           ///< rows returned and those before `resume`
  std::uint64_t skipped_rows() const;   ///< lines skipped, likewise
  std::uint64_t clipped_rows() const;   ///< rows whose cost was clipped, likewise
  std::uint64_t replayed_rows() const;  ///< rows passed over since the stream was opened
  std::size_t buffer_bytes() const;     ///< size of the buffer
  /// Columns and keys that were found and are ignored, at most 16 of them.
  const std::vector<std::string>& ignored() const;
  const std::string& name() const;  ///< input_name(path), for messages

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace shortfall::io
