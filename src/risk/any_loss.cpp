#include "shortfall/risk/any_loss.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <vector>

#include "shortfall/error.hpp"
#include "words.hpp"

namespace shortfall {
namespace {

constexpr const char* accepted_words =
    "mean, expectile:TAU, entropic:BETA, truncated-entropic:BETA,BOUND, soft-quantile:MU,KAPPA, "
    "piecewise:X1:Y1,X2:Y2,...";

double number(std::string_view word, std::string_view text) {
  if (const auto value = finite_number(text)) return *value;
  throw InvalidInput(
      fmt::format("loss '{}': '{}' is not a number; accepted: {}", word, text, accepted_words));
}

std::vector<double> numbers(std::string_view word, std::string_view text, std::size_t count) {
  const auto parts = split(text, ',');
  if (text.empty() || parts.size() != count) {
    throw InvalidInput(fmt::format("loss '{}' takes {} parameter(s); found {}; accepted: {}", word,
                                   count, text.empty() ? 0 : parts.size(), accepted_words));
  }
  std::vector<double> values;
  for (const auto part : parts) values.push_back(number(word, part));
  return values;
}

std::vector<Knot> knots(std::string_view word, std::string_view text) {
  std::vector<Knot> result;
  for (const auto part : split(text, ',')) {
    const auto xy = split(part, ':');
    if (xy.size() != 2) {
      throw InvalidInput(fmt::format("loss '{}': knot '{}' is not of the form X:Y", word, part));
    }
    result.push_back({number(word, xy[0]), number(word, xy[1])});
  }
  return result;
}

std::string word_of(const Mean&) {
  return "mean";
}
std::string word_of(const Expectile& l) {
  return fmt::format("expectile:{}", l.tau());
}
std::string word_of(const Entropic& l) {
  return fmt::format("entropic:{}", l.beta());
}
std::string word_of(const TruncatedEntropic& l) {
  return fmt::format("truncated-entropic:{},{}", l.beta(), l.bound());
}
std::string word_of(const SoftQuantile& l) {
  return fmt::format("soft-quantile:{},{}", l.mu(), l.kappa());
}
std::string word_of(const Piecewise& l) {
  std::string word = "piecewise:";
  for (const auto& [x, y] : l.knots()) {
    word += fmt::format("{}{}:{}", word.back() == ':' ? "" : ",", x, y);
  }
  return word;
}
std::string word_of(const CustomLoss&) {
  return "custom";
}

}  // namespace

AnyLoss AnyLoss::parse(std::string_view word) {
  const auto colon = word.find(':');
  const auto name = word.substr(0, colon);
  const auto rest = colon == std::string_view::npos ? std::string_view{} : word.substr(colon + 1);
  if (name == "mean") {
    if (colon != std::string_view::npos) {
      throw InvalidInput(fmt::format("loss '{}': mean takes no parameter", word));
    }
    return Mean();
  }
  if (name == "expectile") return Expectile(numbers(word, rest, 1)[0]);
  if (name == "entropic") return Entropic(numbers(word, rest, 1)[0]);
  if (name == "truncated-entropic") {
    const auto p = numbers(word, rest, 2);
    return TruncatedEntropic(p[0], p[1]);
  }
  if (name == "soft-quantile") {
    const auto p = numbers(word, rest, 2);
    return SoftQuantile(p[0], p[1]);
  }
  if (name == "piecewise") return Piecewise(knots(word, rest));
  throw InvalidInput(fmt::format("loss '{}' is not known; accepted: {}", word, accepted_words));
}

std::string AnyLoss::word() const {
  return std::visit([](const auto& loss) { return word_of(loss); }, loss_);
}

}  // namespace shortfall
