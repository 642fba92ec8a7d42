#include <filesystem>
#include <string_view>

#include "bindings/inventory/inventory_parts.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::python {
namespace {

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A Python value in TOML syntax.
std::string toml_of(py::handle value, const std::string& key) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  if (py::isinstance<py::str>(value)) return in_quotes(value.cast<std::string>());
  if (py::isinstance<AnyLoss>(value)) return in_quotes(value.cast<const AnyLoss&>().to_string());
  // NumPy arrays and scalars.
  if (py::hasattr(value, "tolist")) return toml_of(value.attr("tolist")(), key);
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) {
    return py::repr(value).cast<std::string>();
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
    std::string items;
    for (const py::handle item : value) {
      items += fmt::format("{}{}", items.empty() ? "" : ", ", toml_of(item, key));
    }
    return fmt::format("[{}]", items);
  }
  throw py::type_error(
      fmt::format("set: {} is of type {}; accepted: numbers, strings, True, "
                  "False, and lists of these",
                  key, py::type::of(value).attr("__name__").cast<std::string>()));
}

}  // namespace

std::vector<std::string> assignments_of(const py::dict& set) {
  std::vector<std::string> assignments;
  for (const auto& [name, value] : set) {
    const auto key = py::str(name).cast<std::string>();
    assignments.push_back(fmt::format("{}={}", key, toml_of(value, key)));
  }
  return assignments;
}

std::shared_ptr<Inventory> read_inventory(const std::string& path, const py::dict& set) {
  io::InventoryToml file(path);
  for (const std::string& assignment : assignments_of(set)) file.set(assignment, "set");
  return std::make_shared<Inventory>(file.configuration(),
                                     std::filesystem::path(path).filename().string(),
                                     file.placeholder_costs());
}

}  // namespace shortfall::python
