// Reads every stored input once: fuzz_corpus CORPORA [READER...]. Needs no libFuzzer, so that any
// compiler can run what the fuzzers have found. A file in place of CORPORA is read as it is, by one
// reader.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"

namespace {

namespace fs = std::filesystem;
using shortfall::fuzz::Reader;

int fail(const std::string& problem) {
  std::fprintf(stderr, "fuzz_corpus: %s; accepted: CORPORA [READER...]\n", problem.c_str());
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
  std::fprintf(stderr, "\r\033[K%s", file.c_str());
  reader.read(shortfall::fuzz::content_of(file));
  std::fputs("\r\033[K", stderr);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fail("no corpora given");
  const fs::path corpora = argv[1];
  std::vector<const Reader*> chosen;
  for (int i = 2; i < argc; ++i) {
    chosen.push_back(shortfall::fuzz::find_reader(argv[i]));
    if (chosen.back() == nullptr) return fail(std::string("no reader ") + argv[i]);
  }
  if (chosen.empty()) {
    for (const Reader& reader : shortfall::fuzz::readers()) chosen.push_back(&reader);
  }
  for (const Reader* const reader : chosen) {
    if (fs::is_regular_file(corpora)) {
      read_file(*reader, corpora);
      continue;
    }
    const fs::path folder = corpora / reader->name;
    if (!fs::is_directory(folder)) return fail("no folder " + folder.string());
    const std::vector<fs::path> files = files_in(folder);
    if (files.empty()) return fail("no file in " + folder.string());
    for (const fs::path& file : files) read_file(*reader, file);
    std::fprintf(stderr, "%-20s %zu inputs\n", reader->name.data(), files.size());
  }
}
