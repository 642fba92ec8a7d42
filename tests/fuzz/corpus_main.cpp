// Reads every stored input once, and with --changed then changed ones, the same each time:
//   fuzz_corpus [--changed[=PERCENT]] CORPORA [READER...]
//   fuzz_corpus --self-test   finds planted defects
// CORPORA has one file per reader, with an input in quotes per line; corpus.py writes it.
// Needs no libFuzzer, so that any compiler can run what the fuzzers have found. A file in place of
// CORPORA is read as it is, by one reader.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/planted.hpp"
#include "tests/fuzz/reader.hpp"
#include "tests/fuzz/trial.hpp"

namespace {

namespace fs = std::filesystem;
using namespace shortfall::fuzz;

struct Arguments {
  std::string program = {};
  fs::path corpora = {};
  std::vector<const Reader*> readers = {};
  std::size_t percent = 0;  ///< of the changed inputs that a reader has
};

int fail(const std::string& problem) {
  fmt::print(stderr,
             "fuzz_corpus: {}; accepted: [--changed[=PERCENT]] CORPORA [READER...], --self-test\n",
             problem);
  return 2;
}

void read_input(const Reader& reader, const std::string& input, const std::string& name) {
  // Left on standard error if the process ends here.
  fmt::print(stderr, "\r\033[K{}", name);
  reader.read(input);
  fmt::print(stderr, "\r\033[K");
}

Seeds seeds_of(const Reader& reader, const fs::path& corpora) {
  const std::string name(reader.name);
  Seeds seeds{.inputs = quoted_texts(content_of(corpora / (name + ".txt")))};
  const fs::path words = corpora / ".." / "dictionaries" / (name + ".dict");
  if (fs::exists(words)) seeds.words = quoted_texts(content_of(words));
  return seeds;
}

/// Where an input that fails is kept.
fs::path store(const Reader& reader, const std::string& input) {
  const fs::path folder = fs::absolute("fuzz_failures");
  fs::create_directories(folder);
  fs::path file = folder / fmt::format("{}-{:016x}", reader.name, seed_of(input));
  std::ofstream(file, std::ios::binary) << input;
  return file;
}

/// Whether this many changed inputs are all read as they should be.
bool read_changed(const Reader& reader, Seeds seeds, std::size_t count,
                  const std::string& program) {
  Mutator mutator(std::move(seeds), seed_of(reader.name));
  const auto failure = failure_of(
      reader,
      {.count = count, .next = [&] { return mutator.next(); }, .longest = mutator.longest()});
  if (!failure) return true;
  if (!failure->input) {
    fmt::print(stderr, "{}: {} after the last changed input, as for a leak\n", reader.name,
               failure->end);
    return false;
  }
  const fs::path file = store(reader, *failure->input);
  fmt::print(stderr, "{}: {} on a changed input of {} bytes; again:\n  {} {} {}\n", reader.name,
             failure->end, failure->input->size(), program, file.string(), reader.name);
  return false;
}

int read_corpora(const Arguments& arguments) {
  bool all_right = true;
  for (const Reader* const reader : arguments.readers) {
    Seeds seeds = seeds_of(*reader, arguments.corpora);
    const std::size_t stored = seeds.inputs.size();
    if (stored == 0) return fail(fmt::format("no stored input of {}", reader->name));
    for (std::size_t i = 0; i < stored; ++i) {
      read_input(*reader, seeds.inputs[i], fmt::format("{}.txt, line {}", reader->name, i + 1));
    }
    const std::size_t changed = reader->changes * arguments.percent / 100;
    if (changed > 0) {
      all_right = read_changed(*reader, std::move(seeds), changed, arguments.program) && all_right;
    }
    fmt::print(stderr, "{:<20} {:>6} stored inputs, {:>8} changed\n", reader->name, stored,
               changed);
  }
  return all_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string_view> words(argv + 1, argv + argc);
  Arguments arguments{.program = fs::absolute(argv[0]).string()};
  if (words.size() == 1 && words.front() == "--self-test") return finds_planted() ? 0 : 1;
  constexpr std::string_view option = "--changed";
  if (!words.empty() && words.front().starts_with(option)) {
    std::string_view percent = words.front().substr(option.size());
    if (percent.empty()) percent = "=100";
    const char* const end = percent.data() + percent.size();
    if (std::from_chars(percent.data() + 1, end, arguments.percent).ptr != end) {
      return fail("no percentage in " + std::string(words.front()));
    }
    words.erase(words.begin());
  }
  if (words.empty()) return fail("no corpora given");
  arguments.corpora = words.front();
  for (const std::string_view name : std::vector(words.begin() + 1, words.end())) {
    arguments.readers.push_back(find_reader(name));
    if (arguments.readers.back() == nullptr) return fail("no reader " + std::string(name));
  }
  if (fs::is_regular_file(arguments.corpora)) {
    if (arguments.readers.size() != 1) return fail("one file, and not one reader");
    const std::string file = arguments.corpora.string();
    read_input(*arguments.readers.front(), content_of(file), file);
    return 0;
  }
  if (arguments.readers.empty()) {
    for (const Reader& reader : readers()) arguments.readers.push_back(&reader);
  }
  return read_corpora(arguments);
}
