#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "apps/shortfall/inventory_command.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/weekday.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/inventory/train/feature_set.hpp"
#include "shortfall/inventory/train/train.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/mdp/library/catalogue.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/reader.hpp"

namespace shortfall::fuzz {

/// A loss is increasing with ℓ(0) = 0, so a risk is between the least and the greatest value.
void read_losses(std::string_view bytes) {
  std::optional<AnyLoss> loss;
  if (!is_accepted("", [&] { loss = AnyLoss::parse(bytes); })) return;
  const std::string text = loss->to_string();
  expect(AnyLoss::parse(text).to_string() == text, "a loss that is written reads back", text);
  // slope · x + intercept loses its sign where slopes differ this much; risk/rounding.hpp says so.
  const SlopeBounds slopes = loss->slope_bounds();
  if (std::holds_alternative<Piecewise>(loss->variant()) && slopes.upper > 1e12 * slopes.lower) {
    return;
  }
  expect(loss->at(0.0).value == 0.0 && loss->at(-1.0).value < 0.0 && loss->at(1.0).value > 0.0,
         "a loss has the sign of x", text);
  // At 1, that of the least slopes would be half the smallest number.
  expect(loss->score(-2.0) > 0.0 && loss->score(2.0) > 0.0, "a score is positive", text);
  const std::array atoms = {-1.0, 0.5, 3.0};
  const std::array probabilities = {0.25, 0.5, 0.25};
  const double risk = shortfall_risk(*loss, Law{atoms, probabilities});
  expect(risk >= -1.0 - 1e-9 && risk <= 3.0 + 1e-9,
         "a risk is between the least and the greatest value", text);
}

void read_steps(std::string_view bytes) {
  std::optional<learn::AnyStep> step;
  if (!is_accepted("", [&] { step = learn::AnyStep::parse(bytes); })) return;
  const std::string text = step->to_string();
  expect(learn::AnyStep::parse(text).to_string() == text, "a step that is written reads back",
         text);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1000}, ~std::uint64_t{0}}) {
    expect((*step)(n) >= 0.0, "a step is nonnegative", text);
    expect((*step)(n) == learn::AnyStep::parse(text)(n), "a step is a function of n", text);
  }
  (void)step->assumption();
}

/// The other words of the command line, each of which takes any text.
void read_words(std::string_view bytes) {
  const std::string word(bytes);
  is_accepted("", [&] { (void)inventory::parse_weekday(word); });
  is_accepted("no library model", [&] { (void)library::catalogue_model(word); });
  is_accepted("", [&] { (void)io::parse_order_rule(word); });
  if (const auto date = inventory::parse_iso_date(word)) {
    expect(inventory::iso_date(*date) == word, "a date that is written reads back", word);
  }
  if (const auto set = inventory::parse_feature_set(word)) {
    expect(inventory::parse_feature_set(to_string(*set)) == set,
           "features that are written read back", word);
  }
  if (const auto scenarios = inventory::parse_improvement(word)) {
    expect(*scenarios <= inventory::max_scenarios, "scenarios are within their limit", word);
  }
  is_accepted("--stock", [&] {
    for (const std::int64_t units : app::parse_stock(word)) {
      expect(units >= 0, "stock is nonnegative", word);
    }
  });
  is_accepted("", [&] {
    if (const auto rule = inventory::parse_rule(word)) {
      inventory::check_rule(*rule, small_inventory().model);
    }
  });
}

}  // namespace shortfall::fuzz
