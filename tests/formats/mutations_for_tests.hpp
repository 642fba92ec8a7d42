#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace shortfall::io {

/// Texts that are difficult for CSV readers.
inline constexpr std::string_view csv_fragments[] = {
    ",",    "\n",  "\r\n", "\"",  " ",    "\t", "-",    "+",          ".",    "e",
    "1e99", "nan", "inf",  "0x1", "\xFF", "9",  "0.5,", "4294967296", "\n\n", "1e-400"};

/// `text` with one to four edits: a byte changed, a piece removed or doubled, or a fragment
/// inserted.
inline std::string mutated(std::string text, std::mt19937_64& random,
                           std::span<const std::string_view> fragments = csv_fragments) {
  for (auto edits = 1 + random() % 4; edits > 0 && !text.empty(); --edits) {
    const std::size_t at = random() % text.size();
    const std::size_t length = random() % std::min<std::size_t>(text.size() - at, 12);
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(random() % text.size(), text.substr(at, length));
        break;
      default:
        text.insert(at, fragments[random() % fragments.size()]);
    }
  }
  return text;
}

}  // namespace shortfall::io
