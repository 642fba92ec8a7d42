#include "tests/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "tests/fuzz/reader.hpp"
#include "text/text.hpp"

namespace shortfall::fuzz {
namespace {

/// Where sizes, counts and numbers of floating point go wrong.
constexpr std::array<std::uint64_t, 10> ends_of_ranges = {0,
                                                          1,
                                                          0x7f,
                                                          0xff,
                                                          0xffff,
                                                          0x7fffffff,
                                                          0xffffffff,
                                                          0x7fffffffffffffff,
                                                          0x7ff0000000000000,
                                                          ~std::uint64_t{0}};

std::string text_of_line(std::string_view line) {
  const std::string_view quoted = line.substr(1, line.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] != '\\') {
      text += quoted[i];
      continue;
    }
    ++i;
    expect(i < quoted.size(), "a backslash is followed by what it means", line);
    if (quoted[i] != 'x') {
      expect(quoted[i] == '\\' || quoted[i] == '"', "only \\ and \" follow a backslash", line);
      text += quoted[i];
      continue;
    }
    expect(i + 2 < quoted.size(), "\\x is followed by two digits", line);
    unsigned value = 0;
    const char* const digits = quoted.data() + i + 1;
    expect(std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2,
           "\\x is followed by two digits", line);
    text += static_cast<char>(value);
    i += 2;
  }
  return text;
}

}  // namespace

std::vector<std::string> quoted_texts(std::string_view lines) {
  std::vector<std::string> texts;
  for (const std::string_view line : io::split(lines, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    expect(line.size() >= 2 && line.front() == '"' && line.back() == '"',
           "a line is a text in quotes", line);
    texts.push_back(text_of_line(line));
  }
  return texts;
}

std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

Mutator::Mutator(Seeds seeds, std::uint64_t seed) : seeds_(std::move(seeds)), state_(seed) {
  expect(!seeds_.inputs.empty(), "there is an input to change");
  const auto longer = std::ranges::max_element(seeds_.inputs, {}, &std::string::size);
  longest_ = std::max<std::size_t>(4096, 2 * longer->size());
}

/// SplitMix64, for its few lines: std's distributions differ between libraries.
std::uint64_t Mutator::draw() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::size_t Mutator::below(std::size_t count) {
  return static_cast<std::size_t>(draw() % count);
}

std::size_t Mutator::length_up_to(std::size_t most) {
  return 1 + below(1 + below(most));
}

void Mutator::insert(std::string& input, std::string_view bytes) {
  input.insert(below(input.size() + 1), bytes);
}

void Mutator::overwrite(std::string& input, std::string_view bytes) {
  const std::size_t at = below(input.size() + 1);
  input.replace(at, std::min(bytes.size(), input.size() - at), bytes);
}

void Mutator::change(std::string& input) {
  if (input.empty()) input += static_cast<char>(draw());
  const std::size_t at = below(input.size());
  const std::size_t length = length_up_to(input.size() - at);
  switch (below(10)) {
    case 0:
      input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
      break;
    case 1:
      input[at] = static_cast<char>(draw());
      break;
    case 2:
      input.insert(at, length_up_to(16), static_cast<char>(draw()));
      break;
    case 3:
      input.erase(at, length);
      break;
    case 4:
      insert(input, input.substr(at, length));
      break;  // a copy elsewhere
    case 5:
      overwrite(input, input.substr(at, length));
      break;  // in place of others
    case 6: {
      const std::uint64_t number = ends_of_ranges[below(ends_of_ranges.size())] + below(3) - 1;
      std::array<char, sizeof number> bytes{};
      std::memcpy(bytes.data(), &number, sizeof number);
      overwrite(input, {bytes.data(), std::size_t{1} << below(4)});
      break;
    }
    case 7: {
      const std::string& other = seeds_.inputs[below(seeds_.inputs.size())];
      input.replace(at, std::string::npos, other, below(other.size() + 1));
      break;
    }
    default: {
      if (seeds_.words.empty()) return insert(input, std::to_string(draw() >> below(64)));
      const std::string& word = seeds_.words[below(seeds_.words.size())];
      below(2) == 0 ? insert(input, word) : overwrite(input, word);
    }
  }
}

std::string Mutator::next() {
  std::string input = seeds_.inputs[below(seeds_.inputs.size())];
  for (std::size_t changes = length_up_to(8); changes > 0; --changes) change(input);
  input.resize(std::min(input.size(), longest_));
  return input;
}

}  // namespace shortfall::fuzz
