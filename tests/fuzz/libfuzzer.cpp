// libFuzzer on one reader: shortfall_fuzz --reader=NAME [libFuzzer's own arguments]
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/reader.hpp"

namespace {

const shortfall::fuzz::Reader* chosen = nullptr;

}  // namespace

/// libFuzzer leaves arguments with two dashes to us.
extern "C" int LLVMFuzzerInitialize(const int* argc, char*** argv) {
  constexpr std::string_view option = "--reader=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    if (argument.starts_with(option)) {
      chosen = shortfall::fuzz::find_reader(argument.substr(option.size()));
    }
  }
  if (chosen != nullptr) return 0;
  std::fputs("shortfall_fuzz: no such reader; accepted: --reader=NAME, one of\n", stderr);
  for (const auto& reader : shortfall::fuzz::readers()) {
    std::fprintf(stderr, "  %s\n", reader.name.data());
  }
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
