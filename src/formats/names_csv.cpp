#include "shortfall/formats/names_csv.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <unordered_map>

#include "files/input_file.hpp"
#include "text/csv.hpp"
#include "text/number.hpp"

namespace shortfall::io {
namespace {

namespace name_column {
enum : std::size_t { id, name };
constexpr std::array<std::string_view, 2> names = {"id", "name"};
}  // namespace name_column

constexpr HeaderRule names_header{
    .known = name_column::names, .required = 2, .accepted = "id,name, in any order"};

/// The names found so far, and the lines they come from.
class NameTable {
 public:
  NameTable(std::string_view file, const NamedIds& ids)
      : file_(file), ids_(ids), names_(ids.count), line_of_id_(ids.count, 0) {}

  void add(std::uint32_t id, const std::string& name, std::size_t line) {
    const Place at_id{file_, line, "id"};
    if (id < ids_.base || id - ids_.base >= ids_.count) {
      reject(
          at_id, fmt::format("found {}", id),
          fmt::format("{} of the model, {} to {}", ids_.what == "action" ? "an action" : "a state",
                      ids_.base, ids_.base + ids_.count - 1));
    }
    const std::size_t i = id - ids_.base;
    if (line_of_id_[i] != 0) {
      reject(at_id,
             fmt::format("{} {} has a name already, in line {}", ids_.what, id, line_of_id_[i]),
             "one name for each id");
    }
    const Place at_name{file_, line, "name"};
    if (name.empty()) reject(at_name, "the name is empty", "a name, or no row for this id");
    const auto [first, is_new] = line_of_name_.emplace(name, line);
    if (!is_new) {
      reject(at_name, fmt::format("'{}' is also the name in line {}", name, first->second),
             "a different name for each id");
    }
    line_of_id_[i] = line;
    names_[i] = name;
  }

  std::vector<std::string> take() {
    for (std::size_t i = 0; i < ids_.count; ++i) {
      if (line_of_id_[i] != 0) continue;
      names_[i] = fmt::format("{}", i + ids_.base);
      const auto same = line_of_name_.find(names_[i]);
      if (same == line_of_name_.end()) continue;
      reject({file_, same->second, "name"},
             fmt::format("'{}' is the id of a {} without a name", names_[i], ids_.what),
             "a different name for each id");
    }
    return std::move(names_);
  }

 private:
  std::string_view file_;
  const NamedIds& ids_;
  std::vector<std::string> names_;
  std::vector<std::size_t> line_of_id_;  // 0: none yet
  std::unordered_map<std::string, std::size_t> line_of_name_;
};

/// Quotes inside a field are doubled.
std::string with_single_quotes(std::string_view field) {
  std::string name(field);
  for (std::size_t at = name.find("\"\""); at != std::string::npos;
       at = name.find("\"\"", at + 1)) {
    name.erase(at, 1);
  }
  return name;
}

}  // namespace

std::vector<std::string> read_names_csv(const std::string& path, const NamedIds& ids) {
  const InputFile file(path);
  std::string_view body = without_blank_end(file.text());
  std::size_t line = 1;
  const Header header =
      read_header(take_line(body, {file.name(), line}), {file.name(), line}, names_header);
  NameTable table(file.name(), ids);
  std::vector<std::string_view> fields;
  while (!body.empty()) {
    ++line;
    const Place place{file.name(), line};
    split_fields(take_line(body, place), place, fields);
    if (fields.size() != header.names.size()) {
      reject(place, fmt::format("found {} field(s)", fields.size()),
             "2: id,name; put a name with commas in quotes");
    }
    const std::size_t id_place = header.columns[0] == name_column::id ? 0 : 1;
    const std::uint32_t id = read_id(fields[id_place], std::numeric_limits<std::uint32_t>::max(),
                                     {file.name(), line, "id"});
    table.add(id, with_single_quotes(fields[1 - id_place]), line);
  }
  return table.take();
}

}  // namespace shortfall::io
