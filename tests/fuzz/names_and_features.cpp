#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "files/atomic_file.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/formats/names_csv.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {

void read_names_csv(std::string_view bytes) {
  constexpr std::size_t states = 5;
  const MemoryFile file(bytes);
  const std::string path = file.path();
  std::vector<std::string> names;
  const io::NamedIds ids{.what = "state", .base = 1, .count = states};
  if (!is_accepted(path, [&] { names = io::read_names_csv(path, ids); })) return;
  expect(names.size() == states, "every state has a name");
  expect(std::ranges::none_of(names, &std::string::empty), "no name is empty");
  expect(std::set(names.begin(), names.end()).size() == states, "no two states have one name");
}

void read_features_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  io::FeatureRows rows;
  if (!is_accepted(path, [&] { rows = io::read_features_csv(path); })) return;
  expect(rows.dimension > 0 && rows.size() > 0, "there is a feature and a row");
  expect(rows.numbers.size() == rows.size() * rows.dimension, "all rows have all features");
  expect(std::ranges::all_of(rows.numbers, [](double x) { return std::isfinite(x); }),
         "features are finite");
  std::string text;
  for (std::size_t i = 0; i < rows.dimension; ++i)
    text += fmt::format("{}x{}", i ? "," : "", i + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("\n{}", fmt::join(rows.row(i), ","));
  }
  const MemoryFile copy(text);
  expect(io::read_features_csv(copy.path()).numbers == rows.numbers,
         "features that are written read back", text);
}

}  // namespace shortfall::fuzz
