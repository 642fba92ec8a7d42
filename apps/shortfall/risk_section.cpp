#include "risk_section.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <string_view>

#include "shortfall/error.hpp"
#include "shortfall/io/csv.hpp"
#include "shortfall/io/input_file.hpp"

namespace shortfall::app {
namespace {

template <class T>
T value_of(const toml::node& node, const io::Place& place, std::string_view accepted) {
  const auto value = node.value<T>();
  if (!value) io::reject(place, "the value has the wrong type", accepted);
  return *value;
}

}  // namespace

RiskSection read_risk_section(const std::string& path) {
  const io::InputFile file(path);
  toml::table document;
  try {
    document = toml::parse(file.text(), file.name());
  } catch (const toml::parse_error& error) {
    io::reject({.file = file.name(), .line = error.source().begin.line},
               std::string(error.description()), "TOML");
  }
  const toml::table* risk = document["risk"].as_table();
  if (!risk)
    io::reject({.file = file.name()}, "there is no table [risk]", "loss and gamma in [risk]");

  RiskSection section;
  for (const auto& [key, node] : *risk) {
    const io::Place place{file.name(), node.source().begin.line, key.str()};
    if (key == "loss") {
      section.loss = value_of<std::string>(node, place, "a text such as \"expectile:0.9\"");
    } else if (key == "gamma") {
      section.gamma = value_of<double>(node, place, "a number");
    } else {
      io::reject(place, "this key is not known in [risk]", "loss, gamma");
    }
  }
  return section;
}

}  // namespace shortfall::app
