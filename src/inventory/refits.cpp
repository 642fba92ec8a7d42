#include "inventory/refits.hpp"

#include <fmt/format.h>

#include "require.hpp"
#include "shortfall/error.hpp"
#include "text/text.hpp"

namespace shortfall::inventory {

Records rows_from(const Records& records, std::chrono::sys_days date) {
  Records rows{.days = {}, .columns = records.columns};
  for (const DayRecord& row : records.days) {
    if (row.date >= date) rows.days.push_back(row);
  }
  return rows;
}

bool Refits::is_due(std::chrono::sys_days date) const {
  const auto days = static_cast<std::size_t>((date - records_.days.front().date).count());
  return options_.refit_days > 0 && days > 0 && days % options_.refit_days == 0;
}

std::optional<Model> Refits::at(std::chrono::sys_days date,
                                std::vector<std::string>& warnings) const {
  Records known{.days = {}, .columns = records_.columns};
  for (const DayRecord& row : records_.days) {
    if (row.date < date) known.days.push_back(row);
  }
  std::optional<Model> fitted;
  try {
    fitted = options_.refit(known);
  } catch (const InvalidInput& error) {
    warnings.push_back(
        fmt::format("the plan could not be fitted again on {}: {}", iso_date(date), error.what()));
    return std::nullopt;
  }
  require(fitted->shelf_life() == plan_.shelf_life() && fitted->capacity() == plan_.capacity(),
          "a refit with shelf life {} and capacity {}; accepted: those of the plan, {} and {}",
          fitted->shelf_life(), fitted->capacity(), plan_.shelf_life(), plan_.capacity());
  return fitted;
}

Refit Refits::first(std::vector<std::string>& warnings) const {
  const auto step = std::chrono::days(options_.refit_days);
  const std::chrono::sys_days begin = records_.days.front().date;
  const std::chrono::sys_days last = records_.days.back().date;
  require(begin + step <= last,
          "the plan is to be fitted again after {}, but the records end on {}, after {}; "
          "accepted: fewer days than the records have",
          io::counted(options_.refit_days, "day"), iso_date(last), (last - begin).count() + 1);
  for (std::chrono::sys_days date = begin + step; date <= last; date += step) {
    std::optional<Model> fitted = at(date, warnings);
    if (fitted) return {date, *std::move(fitted)};
  }
  throw InvalidInput(
      fmt::format("no plan can be fitted: {}; accepted: records with more days", warnings.back()));
}

}  // namespace shortfall::inventory
