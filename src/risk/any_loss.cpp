#include "shortfall/risk/any_loss.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall {
namespace {

static_assert(std::variant_size_v<AnyLoss::Variant> == AnyLoss::spellings.size() + 1);

std::string accepted_specs() {
  return fmt::format("{}", fmt::join(AnyLoss::spellings, ", "));
}

double number(std::string_view spec, std::string_view text) {
  if (const auto value = io::parse_finite_number(text)) return *value;
  throw InvalidInput(
      fmt::format("loss '{}': '{}' is not a number; accepted: {}", spec, text, accepted_specs()));
}

std::vector<double> numbers(std::string_view spec, std::string_view text, std::size_t count) {
  const auto parts = io::split(text, ',');
  require(!text.empty() && parts.size() == count,
          "loss '{}' takes {} parameter(s); found {}; accepted: {}", spec, count,
          text.empty() ? 0 : parts.size(), accepted_specs());
  std::vector<double> values;
  values.reserve(count);
  for (const auto part : parts) values.push_back(number(spec, part));
  return values;
}

std::vector<Knot> knots(std::string_view spec, std::string_view text) {
  std::vector<Knot> result;
  for (const auto part : io::split(text, ',')) {
    const auto xy = io::split(part, ':');
    require(xy.size() == 2, "loss '{}': knot '{}' is not of the form X:Y; accepted: {}", spec, part,
            AnyLoss::spellings.back());
    result.push_back({number(spec, xy[0]), number(spec, xy[1])});
  }
  return result;
}

std::string spec_of(const Mean&) {
  return "mean";
}
std::string spec_of(const Expectile& l) {
  return fmt::format("expectile:{}", l.tau());
}
std::string spec_of(const Entropic& l) {
  return fmt::format("entropic:{}", l.beta());
}
std::string spec_of(const TruncatedEntropic& l) {
  return fmt::format("truncated-entropic:{},{}", l.beta(), l.bound());
}
std::string spec_of(const SoftQuantile& l) {
  return fmt::format("soft-quantile:{},{}", l.mu(), l.kappa());
}
std::string spec_of(const Piecewise& l) {
  std::string spec = "piecewise:";
  for (const auto& [x, y] : l.knots()) {
    spec += fmt::format("{}{}:{}", spec.back() == ':' ? "" : ",", x, y);
  }
  return spec;
}
std::string spec_of(const CustomLoss&) {
  return "custom";
}

}  // namespace

AnyLoss AnyLoss::parse(std::string_view spec) {
  const auto colon = spec.find(':');
  const auto name = spec.substr(0, colon);
  const auto rest = colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  if (name == "mean") {
    require(colon == std::string_view::npos, "loss '{}': mean takes no parameter; accepted: mean",
            spec);
    return Mean();
  }
  if (name == "expectile") return Expectile(numbers(spec, rest, 1)[0]);
  if (name == "entropic") return Entropic(numbers(spec, rest, 1)[0]);
  if (name == "truncated-entropic") {
    const auto p = numbers(spec, rest, 2);
    return TruncatedEntropic(p[0], p[1]);
  }
  if (name == "soft-quantile") {
    const auto p = numbers(spec, rest, 2);
    return SoftQuantile(p[0], p[1]);
  }
  if (name == "piecewise") return Piecewise(knots(spec, rest));
  throw InvalidInput(fmt::format("loss '{}' is not known; accepted: {}", spec, accepted_specs()));
}

std::string AnyLoss::to_string() const {
  return std::visit([](const auto& loss) { return spec_of(loss); }, loss_);
}

}  // namespace shortfall
