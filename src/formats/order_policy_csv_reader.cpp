#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_file.hpp"
#include "formats/rows.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "text/csv.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t first_row_line = 2;
constexpr std::array<std::string_view, inventory::longest_shelf_life> stock_names = {
    "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10"};

struct Row {
  std::array<std::uint8_t, inventory::longest_shelf_life> stock;
  std::uint32_t order;
  std::uint32_t day = 0;
};

/// The columns for a model: x1, .., x_L are 0, .., L-1, then order, then day if there are seven.
class Columns {
 public:
  explicit Columns(const inventory::Model& model)
      : ages_(model.stocks().length()), capacity_(static_cast<std::uint32_t>(model.capacity())) {
    names_.assign(stock_names.begin(), stock_names.begin() + static_cast<std::ptrdiff_t>(ages_));
    names_.push_back("order");
    if (model.days() > 1) names_.push_back("day");
    accepted_ = fmt::format("{}, in any order", fmt::join(names_, ","));
  }

  Header header(std::string_view line, const Place& place) const {
    return read_header(line, place,
                       {.known = names_, .required = names_.size(), .accepted = accepted_});
  }

  template <class Text>
  bool read(Text& text, const Header& header, Row& row) const {
    for (const std::size_t column : header.columns) {
      if (!text.next_field()) return false;
      std::uint32_t units = 0;
      if (column < ages_) {
        if (!text.id(units, capacity_)) return false;
        row.stock[column] = static_cast<std::uint8_t>(units);
      } else if (column == ages_) {
        if (!text.id(row.order, capacity_)) return false;
      } else if (!text.id(row.day, 6)) {
        return false;
      }
    }
    return text.line_end();
  }

 private:
  std::size_t ages_;
  std::uint32_t capacity_;
  std::vector<std::string_view> names_;
  std::string accepted_;
};

/// The orders found so far, and the lines they come from.
class Orders {
 public:
  Orders(const inventory::Model& model, std::string_view file)
      : model_(model), file_(file), orders_(model.states()), line_(model.states()) {}

  void set(const Row& row, std::size_t line) {
    const std::span<const std::uint8_t> stock(row.stock.data(), model_.stocks().length());
    std::size_t total = 0;
    for (const std::uint8_t units : stock) total += units;
    if (total > model_.capacity()) {
      reject({file_, line}, fmt::format("the stock has {} units", total),
             fmt::format("at most the capacity, {}", model_.capacity()));
    }
    const std::size_t largest = model_.largest_order(row.day, total);
    if (row.order > largest) {
      reject({file_, line, "order"}, fmt::format("found {}", row.order),
             fmt::format("0 to {} with {} units in stock{}", largest, total,
                         model_.days() > 1 ? fmt::format(" on day {}", row.day) : ""));
    }
    const std::size_t state = row.day * model_.stocks().size() + model_.stocks().rank(stock);
    if (line_[state] != 0) {
      reject({file_, line}, fmt::format("this repeats the stock of line {}", line_[state]),
             "one row per stock");
    }
    orders_[state] = static_cast<ActionIndex>(row.order);
    line_[state] = line;
  }

  Policy take() {
    const auto missing = std::ranges::find(line_, std::size_t{0});
    if (missing == line_.end()) return std::move(orders_);
    reject(
        {file_},
        fmt::format("{} has no row{}", name_of(static_cast<std::size_t>(missing - line_.begin())),
                    others_missing()),
        fmt::format("one row for each of the {} stocks", model_.states()));
  }

 private:
  std::string others_missing() const {
    const auto count = std::ranges::count(line_, std::size_t{0}) - 1;
    if (count == 0) return "";
    return fmt::format(", and {} none either",
                       count == 1 ? "1 other has" : fmt::format("{} others have", count));
  }

  /// A state as in its row: "x1,x2 = 0,3".
  std::string name_of(std::size_t state) const {
    std::vector<std::uint8_t> stock(model_.stocks().length());
    model_.stocks().unrank(static_cast<std::uint32_t>(state % model_.stocks().size()), stock);
    std::string name;
    if (!stock.empty()) {
      name = fmt::format("stock {} = {}",
                         fmt::join(stock_names.begin(), stock_names.begin() + stock.size(), ","),
                         fmt::join(stock, ","));
    }
    const std::size_t day = state / model_.stocks().size();
    if (model_.days() > 1) name += fmt::format("{}day {}", name.empty() ? "" : " on ", day);
    return name.empty() ? "the one stock" : name;
  }

  const inventory::Model& model_;
  std::string_view file_;
  Policy orders_;
  std::vector<std::size_t> line_;  // 0: none yet
};

}  // namespace

Policy read_order_policy_csv(const std::string& path, const inventory::Model& model) {
  const InputFile file(path);
  const Place first_line{file.name(), 1};
  const Columns columns(model);
  std::string_view body = file.text();
  const Header header = columns.header(take_line(body, first_line), first_line);
  Orders orders(model, file.name());
  for_each_row<Row>(
      {.text = without_blank_end(body)}, {file.name(), header, first_row_line},
      [&](auto& text, Row& row) { return columns.read(text, header, row); },
      [&](std::size_t i, const Row& row) { orders.set(row, i + first_row_line); });
  return orders.take();
}

}  // namespace shortfall::io
