// Reads every stored input once:
//   fuzz_corpus [--changed[=PERCENT]] CORPORA [READER...]   and then changed ones, the same each
//   time fuzz_corpus --self-test                                 finds planted defects
// Needs no libFuzzer, so that any compiler can run what the fuzzers have found. A file in place of
// CORPORA is read as it is, by one reader.
#include <fmt/format.h>

#include <algorithm>
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

/// The files of a folder, by name.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry);
  std::ranges::sort(files);
  return files;
}

void read_file(const Reader& reader, const fs::path& file) {
  // Left on standard error if the process ends here.
  fmt::print(stderr, "\r\033[K{}", file.string());
  reader.read(content_of(file));
  fmt::print(stderr, "\r\033[K");
}

Seeds seeds_of(const Reader& reader, const fs::path& corpora, const std::vector<fs::path>& files) {
  Seeds seeds;
  for (const fs::path& file : files) seeds.inputs.push_back(content_of(file));
  const fs::path words = corpora / ".." / "dictionaries" / (std::string(reader.name) + ".dict");
  if (fs::exists(words)) seeds.words = dictionary_words(content_of(words));
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

/// Whether all of so many changed inputs are read as they should be.
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
    const fs::path folder = arguments.corpora / reader->name;
    if (!fs::is_directory(folder)) return fail("no folder " + folder.string());
    const std::vector<fs::path> files = files_in(folder);
    if (files.empty()) return fail("no file in " + folder.string());
    for (const fs::path& file : files) read_file(*reader, file);
    const std::size_t changed = reader->changes * arguments.percent / 100;
    if (changed > 0) {
      Seeds seeds = seeds_of(*reader, arguments.corpora, files);
      all_right = read_changed(*reader, std::move(seeds), changed, arguments.program) && all_right;
    }
    fmt::print(stderr, "{:<20} {:>6} stored inputs, {:>8} changed\n", reader->name, files.size(),
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
    read_file(*arguments.readers.front(), arguments.corpora);
    return 0;
  }
  if (arguments.readers.empty()) {
    for (const Reader& reader : readers()) arguments.readers.push_back(&reader);
  }
  return read_corpora(arguments);
}
