#include "report/stock_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace shortfall::report {

Json digits_of_values(std::span<const double> values) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint32_t most = (std::uint32_t{1} << 30) - 1;
  const auto [lowest, highest] = std::ranges::minmax(values);
  const double step = (highest - lowest) / most;
  std::string text;
  text.reserve(5 * values.size());
  for (const double value : values) {
    const double steps = step > 0.0 ? std::round((value - lowest) / step) : 0.0;
    const auto k = static_cast<std::uint32_t>(std::min(steps, static_cast<double>(most)));
    for (int shift = 24; shift >= 0; shift -= 6) text += digits[(k >> shift) & 63U];
  }
  return {{"lowest", lowest}, {"step", step}, {"digits", text}};
}

}  // namespace shortfall::report
