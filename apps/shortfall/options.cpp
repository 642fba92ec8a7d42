#include "apps/shortfall/options.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>

#include "apps/shortfall/grammar.hpp"
#include "errors/require.hpp"
#include "files/atomic_file.hpp"
#include "formats/inventory_keys.hpp"

namespace shortfall::app {
namespace {

/// CLI11 itself clamps seeds that do not fit into 64 bits.
CLI::Validator valid_seed() {
  return {[](std::string& text) {
            std::uint64_t seed = 0;
            const char* const end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, seed);
            if (error == std::errc() && rest == end) return std::string();
            return fmt::format("Value {} not in range 0 to {}", text,
                               std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

}  // namespace

void add_general_options(const Grammar& grammar, GeneralOptions& options, Randomness randomness) {
  grammar->add_flag("--json", options.json, "Print one JSON document instead of text");
  CLI::Option* seed = grammar->add_option("--seed", options.seed, "Seed of the random numbers")
                          ->check(valid_seed())
                          ->capture_default_str();
  if (randomness == Randomness::none) seed->group("");  // accepted, but not listed in the help
  grammar->add_option("--threads", options.threads, "Number of threads, at most 1024; 0: all cores")
      ->check(CLI::Range(0, 1024).description(""))
      ->capture_default_str();
  grammar.add_check([&options, &processes = grammar.processes()] {
    if (options.threads == 0) options.threads = processes.threads();
  });
}

void add_loss(const Grammar& grammar, AnyLoss& loss) {
  add_parsed(
      grammar, "--loss", [&loss](const std::string& text) { loss = AnyLoss::parse(text); },
      "Loss function, such as expectile:0.9")
      ->required();
  offer_losses(grammar);
}

void offer_losses(const Grammar& grammar) {
  grammar.offer("--loss", words_in(fmt::format("{}", fmt::join(AnyLoss::spellings, ", "))));
}

void offer_keys(const Grammar& grammar, const std::string& option,
                const std::vector<std::string_view>& tables) {
  std::vector<std::string> words;
  for (const io::InventoryKey& key : io::inventory_keys()) {
    const std::string_view table = key.name.substr(0, key.name.find('.'));
    if (tables.empty() || std::ranges::count(tables, table) > 0) {
      words.push_back(fmt::format("{}=", key.name));
    }
  }
  grammar.offer(option, std::move(words));
}

void require_gamma(bool condition, double gamma, const char* accepted, std::string_view option) {
  require(condition, "{} is {}{}; accepted: {}", option, gamma, percent_hint(gamma), accepted);
}

std::string percent_hint(double value) {
  return value >= 2.0 && value < 100.0 ? fmt::format(", did you mean {}?", value / 100.0) : "";
}

void add_tolerance(const Grammar& grammar, Tolerance& tolerance) {
  grammar
      ->add_option_function<double>(
          "--tolerance", [&tolerance](double error) { tolerance = error; },
          "Largest certified error allowed in any state. Unless given, 1e-06, or where values are "
          "too large for that, a millionth of the largest")
      ->type_name("FLOAT");
}

void check_stopping(const Tolerance& tolerance, int max_iterations) {
  require(tolerance.goal() > 0.0 && std::isfinite(tolerance.goal()),
          "--tolerance is {}; accepted: a number above 0", tolerance.goal());
  require(max_iterations >= 1, "--max-iterations is {}; accepted: at least 1", max_iterations);
}

namespace {

void check_is_not_output(std::string_view option, const std::string& path,
                         std::string_view accepted) {
  require(path != "-" && path != "/dev/stdout",
          "{} is {}, which is reserved for the results; accepted: {}", option, path, accepted);
}

}  // namespace

void check_is_file(std::string_view option, const std::string& path) {
  check_is_not_output(option, path, "a file");
}

void check_is_directory(std::string_view option, const std::string& path) {
  check_is_not_output(option, path, "a directory");
}

NewDirectory::NewDirectory(const std::string& path) {
  std::error_code ignored;
  for (std::filesystem::path place = path; !place.empty(); place = place.parent_path()) {
    if (std::filesystem::exists(place, ignored) || place == place.parent_path()) break;
    made_.push_back(place);
  }
  try {
    io::make_directory(path);
  } catch (const io::OutputError&) {
    remove_empty();
    throw;
  }
}

NewDirectory::~NewDirectory() {
  remove_empty();
}

void NewDirectory::remove_empty() const {
  std::error_code ignored;
  for (const std::filesystem::path& place : made_)
    std::filesystem::remove(place, ignored);  // fails if there are files
}

}  // namespace shortfall::app
