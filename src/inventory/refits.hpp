#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/inventory/backtest.hpp"

namespace shortfall::inventory {

/// A plan and the date from which it is used.
struct Refit {
  std::chrono::sys_days date;
  Model model;
};

/// The rows from a date on.
Records rows_from(const Records& records, std::chrono::sys_days date);

/// Plans that are fitted every so many days of the calendar to the rows before that day. Refers to
/// its arguments.
class Refits {
 public:
  Refits(const Model& plan, const Records& records, const BacktestOptions& options)
      : plan_(plan), records_(records), options_(options) {}

  bool is_due(std::chrono::sys_days date) const;

  /// The plan of a date; none, with a warning, if the rows before it do not allow a fit.
  std::optional<Model> at(std::chrono::sys_days date, std::vector<std::string>& warnings) const;

  /// The earliest one. Throws InvalidInput if there is none.
  Refit first(std::vector<std::string>& warnings) const;

 private:
  const Model& plan_;
  const Records& records_;
  const BacktestOptions& options_;
};

}  // namespace shortfall::inventory
