#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/formats/settings.hpp"

namespace shortfall::io {

/// Which numbers are accepted: those for which `holds` is true. Infinity and NaN never are.
struct NumberRule {
  bool (*holds)(double);
  std::string_view accepted;
};

/// The value if it is an integer or a number.
std::optional<double> number_of(const Value& value);

/// Throws InvalidInput "WHERE: PROBLEM; accepted: ACCEPTED".
[[noreturn]] void refuse(const Setting& setting, std::string_view problem,
                         std::string_view accepted);

/// Reads settings as values of the required types. Throws InvalidInput that names the location of a
/// value of the wrong type or out of range, or the file if a value is missing.
class SettingReader {
 public:
  SettingReader(const Settings& settings, std::string_view file)
      : settings_(settings), file_(file) {}

  /// Null if it is missing.
  const Setting* find(std::string_view key) const;
  const Setting& required(std::string_view key, std::string_view accepted) const;

  double number(std::string_view key, const NumberRule& rule) const;
  std::size_t integer(std::string_view key, std::size_t least, std::size_t most) const;
  std::string text(std::string_view key, std::string_view accepted) const;
  bool flag(std::string_view key) const;

  /// One number, or seven.
  std::vector<double> number_or_week(std::string_view key, const NumberRule& rule) const;
  std::vector<std::size_t> integer_or_week(std::string_view key, std::size_t least,
                                           std::size_t most) const;
  /// One list of numbers, of any length, or seven.
  std::vector<std::vector<double>> list_or_week(std::string_view key, const NumberRule& rule) const;

 private:
  const Settings& settings_;
  std::string_view file_;
};

}  // namespace shortfall::io
