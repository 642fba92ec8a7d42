#include "apps/shortfall/recorded_options.hpp"

#include <fmt/format.h>

#include "shortfall/error.hpp"

namespace shortfall::app {

void check_recorded(const RecordedOptions& options, const std::string& checkpoint,
                    io::StateReader& saved) {
  for (const auto& [name, value] : options) {
    std::string before;
    saved(before);
    if (before == value) continue;
    throw InvalidInput(fmt::format(
        "{} is {}, but the checkpoint {} was made with {}; accepted: the options of the "
        "checkpoint, or another checkpoint file",
        name, value, checkpoint, before));
  }
}

}  // namespace shortfall::app
