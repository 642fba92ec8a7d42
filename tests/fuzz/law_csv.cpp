#include "shortfall/formats/law_csv.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/compensated_sum.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {
namespace {

/// The law, or the message without the name of the file.
std::string law_or_message(const std::string& path, const io::ReadOptions& options) {
  try {
    const io::LoadedLaw law = io::read_law_csv(path, options);
    std::string text;
    for (const auto* const list : {&law.atoms, &law.probabilities}) {
      text.append(reinterpret_cast<const char*>(list->data()), list->size() * sizeof(double));
    }
    return text;
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

}  // namespace

void read_law_csv(std::string_view bytes) {
  const MemoryFile file(bytes);
  const std::string path = file.path();
  io::LoadedLaw law;
  const bool accepted = is_accepted(path, [&] { law = io::read_law_csv(path, {.threads = 1}); });
  expect(law_or_message(path, {.threads = 1, .chunk_bytes = 5}) ==
             law_or_message(path, {.threads = 1}),
         "chunks do not change what is read");
  if (!accepted) return;
  expect(!law.atoms.empty() && law.atoms.size() == law.probabilities.size(),
         "a law has values, each with a probability");
  expect(std::ranges::all_of(law.atoms, [](double x) { return std::isfinite(x); }),
         "values are finite");
  expect(std::ranges::all_of(law.probabilities, [](double p) { return p >= 0.0 && p <= 1.0; }),
         "probabilities are in [0, 1]");
  // Rescaled as those of a model are: rescaled_tolerance is 4 epsilon.
  expect(std::abs(compensated_sum(law.probabilities) - 1.0) <=
             4 * std::numeric_limits<double>::epsilon(),
         "probabilities sum to one");
  // A shortfall risk is monotone, and that of a constant is the constant.
  const auto [low, high] = std::ranges::minmax(law.atoms);
  const double scale = std::max(std::abs(low), std::abs(high));
  if (scale > 1e150) return;  // squares and exponentials of such values overflow
  const double risk = shortfall_risk(Expectile(0.9), law.law());
  const double rounding = 1e-9 * scale;
  expect(risk >= low - rounding && risk <= high + rounding,
         "a risk is between the least and the greatest value");
}

}  // namespace shortfall::fuzz
