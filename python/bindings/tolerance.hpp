#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <string>

#include "numbers/certain_digits.hpp"
#include "shortfall/dp/tolerance.hpp"

namespace shortfall::python {

/// What a solver that missed the tolerance has reached, for messages.
inline std::string reached_text(double error_bound) {
  return std::isfinite(error_bound) ? "certified to within " + bound_text(error_bound) + " only"
                                    : "nothing is certified";
}

}  // namespace shortfall::python

namespace pybind11::detail {

/// A number, or None for the default.
template <>
struct type_caster<shortfall::Tolerance> {
  PYBIND11_TYPE_CASTER(shortfall::Tolerance, const_name("float | None"));

  bool load(handle source, bool convert) {
    make_caster<std::optional<double>> number;
    if (!number.load(source, convert)) return false;
    value = shortfall::Tolerance(cast_op<std::optional<double>>(std::move(number)));
    return true;
  }

  static handle cast(const shortfall::Tolerance& tolerance, return_value_policy policy,
                     handle parent) {
    const auto number = tolerance.is_given() ? std::optional(tolerance.goal()) : std::nullopt;
    return make_caster<std::optional<double>>::cast(number, policy, parent);
  }
};

}  // namespace pybind11::detail
