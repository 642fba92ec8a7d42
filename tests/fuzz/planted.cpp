#include "tests/fuzz/planted.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/trial.hpp"
#include "tests/sanitized.hpp"

namespace shortfall::fuzz {
namespace {

constexpr std::size_t planted_changes = 20'000;

void break_if(bool found) {
  expect(!found, "planted");
}

bool has_twice(std::string_view bytes, std::string_view word) {
  return bytes.find(word) != bytes.rfind(word);
}

void wait_forever(std::string_view bytes) {
  for (volatile bool goes_on = bytes.ends_with("\xff\xff"); goes_on;) {
  }
}

/// Trusts its first byte, which is the length of the rest.
void trust_length(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto length = static_cast<unsigned char>(bytes.front());
  [[maybe_unused]] static volatile char last = 0;
  if (length <= bytes.size()) last = *(bytes.data() + length);
}

void lose_memory(std::string_view bytes) {
  if (bytes.size() > 3) (void)std::make_unique<std::string>(bytes).release();
}

void throw_another(std::string_view bytes) {
  if (bytes.find("()") != std::string_view::npos) throw std::out_of_range("planted");
}

std::vector<Planted> make_planted() {
  std::vector<Planted> planted = {
      {{"sound", [](std::string_view) {}}, {{"abc"}}, ""},
      {{"flipped", [](std::string_view b) { break_if(b == "abce"); }}, {{"abcd", ""}}, "signal 6"},
      {{"deleted", [](std::string_view b) { break_if(b == "ab"); }}, {{"aXYb"}}, "signal 6"},
      {{"inserted", [](std::string_view b) { break_if(b.size() > 20); }}, {{"abcd"}}, "signal 6"},
      {{"duplicated", [](std::string_view b) { break_if(has_twice(b, "row,")); }},
       {{"row,end"}},
       "signal 6"},
      {{"spliced",
        [](std::string_view b) { break_if(b.starts_with("begin") && b.ends_with("end")); }},
       {{"begin, then more", "more, then the end"}},
       "signal 6"},
      {{"word", [](std::string_view b) { break_if(b.find("needle") != b.npos); }},
       {{"hay"}, {"needle"}},
       "signal 6"},
      {{"number", [](std::string_view b) { break_if(b.starts_with("n\xff\xff\xff\x7f")); }},
       {{"n0000"}},
       "signal 6"},
      {{"hangs", wait_forever}, {{"abcd"}}, "the limit of processor time"},
      {{"throws", throw_another}, {{"f(x)"}}, "signal 6"}};
  if (testing::is_sanitized()) {
    planted.push_back({{"overflow", trust_length},
                       {{"\x01"
                         "a"}},
                       "exit code 1"});
    planted.push_back({{"leak", lose_memory}, {{"abcd"}}, "exit code 1"});
  }
  return planted;
}

/// Whether this defect is found, with the input that shows it unless it is a leak.
bool is_found(const Planted& planted) {
  Mutator mutator(planted.seeds, seed_of(planted.reader.name));
  const auto failure = failure_of(planted.reader, {.count = planted_changes,
                                                   .next = [&] { return mutator.next(); },
                                                   .longest = mutator.longest(),
                                                   .seconds = 1});
  if (planted.end.empty()) return !failure;
  if (!failure || failure->end != planted.end) return false;
  if (!failure->input) return planted.reader.name == "leak";
  const auto again = failure_on(planted.reader, *failure->input, 1);
  return again && again->end == planted.end && again->input == failure->input;
}

}  // namespace

std::span<const Planted> planted_readers() {
  static const std::vector<Planted> planted = make_planted();
  return planted;
}

bool finds_planted() {
  bool all = true;
  for (const Planted& planted : planted_readers()) {
    const bool found = is_found(planted);
    std::printf("%-12s %s\n", planted.reader.name.data(), found ? "as it should be" : "MISSED");
    all = all && found;
  }
  return all;
}

}  // namespace shortfall::fuzz
