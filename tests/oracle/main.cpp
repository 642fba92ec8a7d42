/// Draws numerically difficult models, runs the command on them, and compares its results with the
/// exact solution. Exit code 0: every true value lies within the printed bound; 1: some do not; 2:
/// wrong usage.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "session.hpp"

namespace {

constexpr const char* usage =
    "usage: shortfall_oracle BINARY [COUNT] [SEED] [--case N] [--violations DIR]\n"
    "       shortfall_oracle --self-test\n";

oracle::SessionOptions parse(const std::vector<std::string>& words) {
  oracle::SessionOptions options;
  std::vector<std::string> plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--case") {
      options.only = std::stoul(words.at(++i));
    } else if (words[i] == "--violations") {
      options.violations = words.at(++i);
    } else {
      plain.push_back(words[i]);
    }
  }
  options.binary = std::filesystem::absolute(plain.at(0));
  if (plain.size() > 1) options.count = std::stoul(plain[1]);
  if (plain.size() > 2) options.seed = std::stoul(plain[2]);
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words == std::vector<std::string>{"--self-test"}) return oracle::self_test() ? 0 : 1;
    return oracle::Session(parse(words)).run() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "shortfall_oracle: %s\n%s", error.what(), usage);
    return 2;
  }
}
