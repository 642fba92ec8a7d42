#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Changed inputs without libFuzzer, for any compiler: the same seed gives the same inputs,
/// whatever the clock and the machine. It does not learn from what a reader does with them;
/// libFuzzer does, and what it found is in the stored inputs, from which the changes begin.
namespace shortfall::fuzz {

/// The texts "..." with \\, \" and \xHH, one per line, of a dictionary as libFuzzer has them, or of
/// the stored inputs of a reader. Ends the process at an invalid line; an empty one, or one that
/// begins with #, is passed over.
std::vector<std::string> quoted_texts(std::string_view lines);

/// A seed that depends on the name of a reader alone: FNV-1a.
std::uint64_t seed_of(std::string_view name);

struct Seeds {
  std::vector<std::string> inputs = {};  ///< at least one
  std::vector<std::string> words = {};
};

class Mutator {
 public:
  Mutator(Seeds seeds, std::uint64_t seed);

  /// A stored input after one to eight changes, each one of: a bit flipped, a byte set, bytes
  /// inserted, deleted, duplicated or replaced by a number at the end of its range, another stored
  /// input's end, a word inserted, a word in place of bytes.
  std::string next();

  /// No input is longer: 4096 bytes, or twice the longest stored one.
  [[nodiscard]] std::size_t longest() const { return longest_; }

 private:
  std::uint64_t draw();
  /// Less than `count`, which is positive.
  std::size_t below(std::size_t count);
  /// A length from 1 to `most`, more often short.
  std::size_t length_up_to(std::size_t most);
  void change(std::string& input);
  void insert(std::string& input, std::string_view bytes);
  void overwrite(std::string& input, std::string_view bytes);

  Seeds seeds_;
  std::uint64_t state_;
  std::size_t longest_;
};

}  // namespace shortfall::fuzz
