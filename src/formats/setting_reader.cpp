#include "formats/setting_reader.hpp"

#include <fmt/format.h>

#include <cmath>

#include "shortfall/errors/error.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t days_of_week = 7;

/// `entry` counts from 1 in a list; 0: the setting itself.
double checked_number(const Setting& setting, const Value& value, const NumberRule& rule,
                      std::size_t entry = 0) {
  const std::optional<double> number = number_of(value);
  if (number && std::isfinite(*number) && rule.holds(*number)) return *number;
  const std::string found = entry == 0 ? fmt::format("found {}", describe(value))
                                       : fmt::format("entry {} is {}", entry, describe(value));
  // Only the rules for numbers between 0 and 1 refuse a percentage.
  const bool is_percent =
      number && *number >= 2.0 && *number < 100.0 && rule.holds(*number / 100.0);
  refuse(setting, is_percent ? fmt::format("{}, did you mean {}?", found, *number / 100.0) : found,
         rule.accepted);
}

std::vector<double> checked_list(const Setting& setting, const Value& value, const NumberRule& rule,
                                 std::string_view accepted) {
  const auto* const list = std::get_if<Value::List>(&value.content);
  if (!list) refuse(setting, fmt::format("found {}", describe(value)), accepted);
  std::vector<double> numbers;
  for (const Value& entry : *list) {
    numbers.push_back(checked_number(setting, entry, rule, numbers.size() + 1));
  }
  return numbers;
}

}  // namespace

std::string describe(const Value& value) {
  struct Describe {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(const std::string& s) const {
      constexpr std::size_t longest = 60;
      return fmt::format("the text {:?}{}", s.substr(0, longest), s.size() > longest ? ".." : "");
    }
    std::string operator()(const Value::List& list) const {
      return fmt::format("a list of {}", list.size());
    }
    std::string operator()(const Value::Other& other) const { return other.name; }
  };
  return std::visit(Describe(), value.content);
}

std::optional<double> number_of(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    return static_cast<double>(*integer);
  }
  if (const auto* number = std::get_if<double>(&value.content)) return *number;
  return std::nullopt;
}

void refuse(const Setting& setting, std::string_view problem, std::string_view accepted) {
  throw InvalidInput(fmt::format("{}: {}; accepted: {}", setting.where, problem, accepted));
}

const Setting* SettingReader::find(std::string_view key) const {
  const auto found = settings_.find(key);
  return found == settings_.end() ? nullptr : &found->second;
}

const Setting& SettingReader::required(std::string_view key, std::string_view accepted) const {
  if (const Setting* const setting = find(key)) return *setting;
  throw InvalidInput(fmt::format("{}: key {} is missing; accepted: {}", file_, key, accepted));
}

double SettingReader::number(std::string_view key, const NumberRule& rule) const {
  const Setting& setting = required(key, rule.accepted);
  return checked_number(setting, setting.value, rule);
}

std::size_t SettingReader::integer(std::string_view key, std::size_t least,
                                   std::size_t most) const {
  const std::string accepted = fmt::format("an integer from {} to {}", least, most);
  const NumberRule integers{[](double x) { return x == std::trunc(x); }, accepted};
  const Setting& setting = required(key, accepted);
  const double value = checked_number(setting, setting.value, integers);
  if (value >= static_cast<double>(least) && value <= static_cast<double>(most)) {
    return static_cast<std::size_t>(value);
  }
  refuse(setting, fmt::format("found {}", describe(setting.value)), accepted);
}

std::string SettingReader::text(std::string_view key, std::string_view accepted) const {
  const Setting& setting = required(key, accepted);
  if (const auto* text = std::get_if<std::string>(&setting.value.content)) return *text;
  refuse(setting, fmt::format("found {}", describe(setting.value)), accepted);
}

bool SettingReader::flag(std::string_view key) const {
  const Setting& setting = required(key, "true or false");
  if (const auto* flag = std::get_if<bool>(&setting.value.content)) return *flag;
  refuse(setting, fmt::format("found {}", describe(setting.value)), "true or false");
}

std::vector<double> SettingReader::number_or_week(std::string_view key,
                                                  const NumberRule& rule) const {
  const std::string accepted = fmt::format("{}, or seven for Monday to Sunday", rule.accepted);
  const Setting& setting = required(key, accepted);
  const NumberRule with_week{rule.holds, accepted};
  const auto* const list = std::get_if<Value::List>(&setting.value.content);
  if (!list) return {checked_number(setting, setting.value, with_week)};
  if (list->size() != days_of_week) {
    refuse(setting, fmt::format("found {}", describe(setting.value)), accepted);
  }
  return checked_list(setting, setting.value, rule, accepted);
}

std::vector<std::size_t> SettingReader::integer_or_week(std::string_view key, std::size_t least,
                                                        std::size_t most) const {
  const std::string accepted = fmt::format("an integer from {} to {}", least, most);
  const NumberRule integers{[](double x) { return x == std::trunc(x); }, accepted};
  std::vector<std::size_t> values;
  for (const double value : number_or_week(key, integers)) {
    if (value < static_cast<double>(least) || value > static_cast<double>(most)) {
      const Setting& setting = *find(key);
      const bool is_list = std::holds_alternative<Value::List>(setting.value.content);
      refuse(setting,
             is_list ? fmt::format("entry {} is {}", values.size() + 1, value)
                     : fmt::format("found {}", value),
             accepted + ", or seven for Monday to Sunday");
    }
    values.push_back(static_cast<std::size_t>(value));
  }
  return values;
}

std::vector<std::vector<double>> SettingReader::list_or_week(std::string_view key,
                                                             const NumberRule& rule) const {
  const std::string accepted =
      fmt::format("a list, each {}; or seven lists for Monday to Sunday", rule.accepted);
  const Setting& setting = required(key, accepted);
  const auto* const list = std::get_if<Value::List>(&setting.value.content);
  const bool nested =
      list && !list->empty() && std::holds_alternative<Value::List>(list->front().content);
  if (!nested) return {checked_list(setting, setting.value, rule, accepted)};
  if (list->size() != days_of_week) {
    refuse(setting, fmt::format("found {} lists", list->size()), accepted);
  }
  std::vector<std::vector<double>> week;
  for (const Value& day : *list) week.push_back(checked_list(setting, day, rule, accepted));
  return week;
}

}  // namespace shortfall::io
