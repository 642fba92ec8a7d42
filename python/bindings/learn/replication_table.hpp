#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "shortfall/learn/runner.hpp"

namespace shortfall::python {

/// A summary of all replications at each recorded iteration, in columns.
struct Curve {
  std::vector<double> mean;
  std::vector<double> standard_error;
  std::vector<double> median;

  void add(const learn::Summary& summary) {
    mean.push_back(summary.mean);
    standard_error.push_back(summary.standard_error);
    median.push_back(summary.median);
  }
};

/// Replications in columns.
struct ReplicationTable {
  std::vector<std::int64_t> iterations;
  std::optional<Curve> to_projected_value;
  std::optional<Curve> to_fixed_point;
  Curve first_component;
  std::vector<std::int64_t> diverged;
  std::vector<std::int64_t> singular;
  std::vector<double> theta;  ///< replication by replication
  std::size_t replications = 0;
};

ReplicationTable table_of(const learn::Replications& found);

void bind_replication_table(pybind11::module_& core);

}  // namespace shortfall::python
