#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <optional>

#include "bindings/inventory/inventory_parts.hpp"
#include "bindings/results.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "report/inventory_fields.hpp"
#include "shortfall/formats/fitted_plan.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::python {
namespace {

constexpr const char* read_records_doc = R"doc(
Reads daily records of an inventory from CSV: one row per day, with columns date, demand and, if
known, stockout, ordered, received_1, .., received_M and wasted. Other columns are not used. Files
that spreadsheets save are read as they are.

columns : headings of the file's own, such as {"demand": "Bedarf"}.
dates : "auto", "ymd", "dmy" or "mdy": the order of day, month and year where the file does not show it.

Returns a dict of lists, one entry per day: "date" (datetime.date), "demand", "stockout", "ordered",
"received" (a list by periods left) and "wasted", with None where something is not known.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import read_records
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "records.csv")
...     with open(path, "w") as file:
...         _ = file.write("date;demand;stockout\n16.11.2026;4;0\n17.11.2026;7;1\n")
...     records = read_records(path)
>>> records["date"][0].isoformat(), records["demand"], records["stockout"]
('2026-11-16', [4, 7], [False, True])
)doc";

constexpr const char* fit_records_doc = R"doc(
Fits a plan to daily records, as `shortfall inventory fit` does: the law of demand, by weekday where
the records ask for it, and the age of units on arrival. Days on which the stock ran out count as
demand of at least what was recorded.

path : the records, as in read_records().
columns : headings of the file's own, as in read_records().
distribution : "auto", "poisson", "negative-binomial" or "empirical".
stockout : what a stock-out says: demand was "at-least" what the row says, or "more-than" that; "auto":
    what deliveries show, otherwise at least.
by_weekday : "auto", "yes" or "no".
since, last : use only the days from a date on (datetime.date or "2026-11-16"), or the last days.
capacity, max_order : limits of the plan; None means that the best orders are not limited, by costs
    that are changed later either.
set : costs and risk of the plan, such as {"cost.order": 225, "risk.loss": "mean"}.
out : a TOML file for the plan; None means none.

Returns a FittedPlan: its `inventory` can be solved, `toml` is the text of the plan, `summary` says
what was fitted, and `warnings` say in words what speaks against it.

Examples
--------
>>> import os, tempfile
>>> from shortfall.inventory import fit_records
>>> with tempfile.TemporaryDirectory() as folder:
...     path = os.path.join(folder, "records.csv")
...     with open(path, "w") as file:
...         _ = file.write("date,demand\n" + "".join(
...             f"2026-{1 + t // 28:02}-{1 + t % 28:02},{t % 3 + t % 5}\n" for t in range(150)))
...     plan = fit_records(path, shelf_life=3)
>>> round(plan.summary.demand[0].mean, 6)
3.0
>>> plan.inventory.shelf_life, plan.inventory.days
(3, 1)
)doc";

/// The Python class FittedPlan.
struct FittedInventory {
  std::shared_ptr<Inventory> inventory;
  std::string toml;
  report::FitReport summary;
};

py::object python_date(std::chrono::sys_days date) {
  const std::chrono::year_month_day parts(date);
  return py::module_::import("datetime")
      .attr("date")(static_cast<int>(parts.year()), static_cast<unsigned>(parts.month()),
                    static_cast<unsigned>(parts.day()));
}

std::optional<std::chrono::sys_days> date_of(const py::object& given) {
  if (given.is_none()) return std::nullopt;
  const auto text = py::str(given).cast<std::string>();
  const auto date = inventory::parse_iso_date(text);
  if (!date) {
    throw InvalidInput(
        fmt::format("since: {} is not a date; accepted: a date such as 2026-11-16", text));
  }
  return date;
}

py::dict read_records(const std::filesystem::path& path, const py::dict& columns,
                      const std::string& dates) {
  const inventory::Records records =
      io::read_records_csv(path.string(), reading_of(columns, dates));
  py::dict result;
  const auto column = [&](const char* name, const auto& value) {
    py::list list;
    for (const inventory::DayRecord& day : records.days) list.append(value(day));
    result[name] = std::move(list);
  };
  using inventory::DayRecord;
  column("date", [](const DayRecord& day) { return python_date(day.date); });
  column("demand", [](const DayRecord& day) { return day.demand; });
  column("stockout", [](const DayRecord& day) { return day.stockout; });
  column("ordered", [](const DayRecord& day) { return py::cast(day.ordered); });
  column("received", [](const DayRecord& day) {
    return day.received.empty() ? py::object(py::none()) : py::cast(day.received);
  });
  column("wasted", [](const DayRecord& day) { return py::cast(day.wasted); });
  return result;
}

FittedInventory fit(const std::filesystem::path& path, const inventory::FitOptions& options,
                    const inventory::Window& window, io::RecordsOptions reading,
                    io::FittedPlanOptions plan_options,
                    const std::optional<std::filesystem::path>& out) {
  if (out) {
    using Kind = io::FileUse::Kind;
    io::check_no_overwriting(
        {{"path", path.string(), Kind::read}, {"out", out->string(), Kind::written}});
    io::check_writable(out->string());  // before the work, not after it
  }
  plan_options.records = path.filename().string();
  std::optional<io::FittedPlan> plan;
  report::FitReport summary;
  {
    const py::gil_scoped_release unlocked;
    reading.shelf_life = options.shelf_life;
    const inventory::Records records = io::read_records_csv(path.string(), reading);
    inventory::Fit fitted = inventory::fit_records(inventory::within(records, window), options);
    plan = io::fitted_plan(fitted, plan_options);
    summary = report::fit_report(std::move(fitted), *plan);
  }
  if (out) io::write_file(out->string(), plan->toml);
  return {std::make_shared<Inventory>(std::move(plan->configuration), plan_options.records,
                                      std::move(plan->placeholder_costs)),
          std::move(plan->toml), std::move(summary)};
}

}  // namespace

io::RecordsOptions reading_of(const py::dict& columns, const std::string& dates) {
  io::RecordsOptions reading{.dates = value_named(dates, io::date_order_names, "dates")};
  for (const auto& [column, heading] : columns) {
    const auto text = [](const auto& value) { return py::str(value).template cast<std::string>(); };
    // Checked as on the command line.
    reading.columns.push_back(io::parse_headings(text(column) + "=x").front());
    reading.columns.back().heading = text(heading);
  }
  return reading;
}

void bind_records(py::module_& module) {
  define_result<inventory::GoodnessOfFit>(module);
  define_result<inventory::Trend>(module);
  define_result<inventory::LevelShift>(module);
  define_result<inventory::DemandCandidate>(module);
  define_result<report::FittedDemand>(module);
  define_result<inventory::ArrivalFit>(module);
  define_result<report::FitReport>(module);
  py::class_<FittedInventory>(module, "FittedPlan", "A plan fitted to records: see fit_records().")
      .def_readonly("inventory", &FittedInventory::inventory)
      .def_readonly("toml", &FittedInventory::toml)
      .def_readonly("summary", &FittedInventory::summary)
      .def_property_readonly(
          "warnings", [](const FittedInventory& self) { return self.summary.warnings; },
          "What speaks against the plan, in words.")
      .def("__repr__", [](const FittedInventory& self) {
        return fmt::format("FittedPlan({} days, {} warnings)", self.summary.fit.days,
                           self.summary.warnings.size());
      });
  module.def("read_records", read_records, py::arg("path"), py::kw_only(),
             py::arg("columns") = py::dict(), py::arg("dates") = "auto", read_records_doc);
  // Python passes keywords one by one; they are bundled here.
  const auto bundled = [](const std::filesystem::path& path, std::int64_t shelf_life,
                          const py::dict& columns, const std::string& distribution,
                          const std::string& by_weekday, const std::string& stockout,
                          const py::object& since, std::int64_t last, const std::string& dates,
                          std::optional<std::size_t> capacity, std::optional<std::size_t> max_order,
                          const py::dict& set, const std::optional<std::filesystem::path>& out) {
    std::optional<inventory::DemandLaw> law;
    if (distribution != "auto") {
      law = value_named(distribution, inventory::demand_law_names, "distribution");
    }
    return fit(path,
               {.shelf_life = count_of("shelf_life", shelf_life),
                .distribution = law,
                .by_weekday = value_named(by_weekday, inventory::by_weekday_names, "by_weekday"),
                .stockout = value_named(stockout, inventory::stockout_meaning_names, "stockout")},
               {.since = date_of(since), .last = count_of("last", last)},
               reading_of(columns, dates),
               {.capacity = capacity, .max_order = max_order, .set = assignments_of(set)}, out);
  };
  module.def("fit_records", bundled, py::arg("path"), py::kw_only(), py::arg("shelf_life"),
             py::arg("columns") = py::dict(), py::arg("distribution") = "auto",
             py::arg("by_weekday") = "auto", py::arg("stockout") = "auto",
             py::arg("since") = py::none(), py::arg("last") = 0, py::arg("dates") = "auto",
             py::arg("capacity") = py::none(), py::arg("max_order") = py::none(),
             py::arg("set") = py::dict(), py::arg("out") = py::none(), fit_records_doc);
}

}  // namespace shortfall::python
