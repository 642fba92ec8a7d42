#pragma once

#include <algorithm>
#include <cstdint>

#include "formats/transition_row.hpp"

namespace shortfall::io {

/// Tells rows that are sent again after a resume from new ones, by their sequence numbers. Numbers
/// increase; only before the first new row may an input repeat what was read before.
///
/// Lines that are not rows have no number. Until the next row tells where they belong, they are
/// held. In front of a row that is sent again they are sent again, too. In front of the first new
/// row, as many are as the position already had after its last row.
class Replay {
 public:
  enum class Row { fresh, replayed, backwards };
  enum class Before { row, end };

  Replay() = default;
  /// Continues after the row `last`, which `known` other lines followed.
  Replay(std::int64_t last, std::uint64_t known)
      : last_(last), known_(known), may_repeat_(last != no_seq) {}

  bool may_repeat() const { return may_repeat_; }
  std::int64_t last() const { return last_; }

  /// Takes the number of the next row.
  Row take(std::int64_t seq) {
    if (seq > last_) {
      last_ = seq;
      may_repeat_ = false;
      return Row::fresh;
    }
    if (!may_repeat_) return Row::backwards;
    held_ = blank_ = 0;
    return Row::replayed;
  }

  void hold_bad() {
    held_ += blank_ + 1;
    blank_ = 0;
  }
  void hold_blank() { ++blank_; }

  bool holds_any() const { return held_ + blank_ > 0; }
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
  std::int64_t last_ = no_seq;
  std::uint64_t known_ = 0;
  bool may_repeat_ = false;
  std::uint64_t held_ = 0;   // up to the last line that is not blank
  std::uint64_t blank_ = 0;  // after it
};

}  // namespace shortfall::io
