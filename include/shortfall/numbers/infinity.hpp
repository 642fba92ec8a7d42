#pragma once

#include <limits>

namespace shortfall {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace shortfall
