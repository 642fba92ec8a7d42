#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "formats/seen_numbers.hpp"

namespace shortfall::io {

/// Distinguishes rows that are sent again from new ones, by their sequence numbers. Numbers
/// increase, except for those that were seen before.
///
/// Lines that are not rows have no number. After a resume, they are held until the next row shows
/// where they belong. Lines in front of a row that is sent again are sent again, too. Before the
/// first new row, the lines that the position already had after its last row are repeated, and the
/// others are new.
class Replay {
 public:
  enum class Row { fresh, replayed, backwards };
  enum class Before { row, end };

  /// A file goes on where it was left, a pipe may send lines again.
  enum class Source { file, pipe };

  Replay() = default;
  /// Continues after the last row of those seen, which `known` other lines followed.
  Replay(SeenNumbers seen, Source source, std::uint64_t known)
      : seen_(std::move(seen)),
        known_(known),
        may_repeat_(source == Source::pipe && last() != no_seq) {}

  /// Whether lines may be sent again: there was no new row since a pipe resumed.
  bool may_repeat() const { return may_repeat_; }
  const SeenNumbers& seen() const { return seen_; }
  std::int64_t last() const { return seen_.last(); }

  /// Takes the number of the next row.
  Row take(std::int64_t seq) {
    if (seq > last()) {
      seen_.add(seq);
      may_repeat_ = false;
      return Row::fresh;
    }
    if (!seen_.contains(seq)) return Row::backwards;
    held_ = blank_ = 0;
    return Row::replayed;
  }

  void hold_bad() {
    held_ += blank_ + 1;
    blank_ = 0;
  }
  void hold_blank() { ++blank_; }

  bool holds_any() const { return held() > 0; }
  std::uint64_t held() const { return held_ + blank_; }
  std::uint64_t known() const { return known_; }
  /// Whether all lines held so far may have been read before.
  bool holds_only_known() const { return held_ + blank_ <= known_; }

  /// Lines held that were read before; of the others, those that are bad and those that are not
  /// (yet): blank lines are bad in front of a row, but not at the end of the input.
  struct Held {
    std::uint64_t known, bad, blank;
  };
  /// What is held when the first new row, or the end of the input, ends the replay.
  Held release(Before before) {
    const std::uint64_t all = held_ + blank_;
    const std::uint64_t bad = before == Before::row ? all : held_;
    const Held result{.known = std::min(all, known_),
                      .bad = bad - std::min(bad, known_),
                      .blank = all - std::max(bad, std::min(all, known_))};
    held_ = blank_ = 0;
    may_repeat_ = false;
    return result;
  }

 private:
  SeenNumbers seen_;
  std::uint64_t known_ = 0;
  bool may_repeat_ = false;
  std::uint64_t held_ = 0;   // up to the last line that is not blank
  std::uint64_t blank_ = 0;  // after it
};

}  // namespace shortfall::io
