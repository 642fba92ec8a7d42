#include "shortfall/monitor/monitor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "numbers/certain_digits.hpp"

namespace shortfall {

std::string Progress::to_string() const {
  std::string text(activity);
  auto add = [&text, separator = ": "](const std::string& part) mutable {
    text += separator + part;
    separator = ", ";
  };
  if (total > 0) {
    add(fmt::format("{} of {}", done, total));
  } else if (done > 0) {
    add(fmt::format("{} iteration{}", done, done == 1 ? "" : "s"));
  }
  if (std::isfinite(error_bound)) add("within " + bound_text(error_bound));
  if (fraction > 0.0) {
    add(fmt::format("{:.0f} % of {}", 100.0 * fraction, total > 0 ? "the next" : "a sweep"));
  }
  return text;
}

Monitor with_prefix(Monitor monitor, std::string name) {
  if (!monitor) return {};
  return [monitor = std::move(monitor), name = std::move(name)](Progress progress) {
    const std::string activity = fmt::format("{}: {}", name, progress.activity);
    progress.activity = activity;
    return monitor(progress);
  };
}

}  // namespace shortfall
