#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

/// The values of a configuration, each with the location where it was set.
namespace shortfall::io {

/// A value of one of the TOML types that the keys accept.
struct Value {
  using List = std::vector<Value>;
  /// A value of any other type, such as a date or a table: its name for messages.
  struct Other {
    std::string name;
  };
  std::variant<bool, std::int64_t, double, std::string, List, Other> content;
};

/// A value as text, for messages: "-3", "the text \"abc\"", "a list of 4".
std::string describe(const Value& value);

enum class Origin { file, command_line };

struct Setting {
  std::string where;  ///< "FILE, line 3, key cost.order", or the option as given
  Value value;
  Origin origin = Origin::file;
};

/// By key: "cost.order" is `order` of the table [cost].
using Settings = std::map<std::string, Setting, std::less<>>;

}  // namespace shortfall::io
