#pragma once

#include <cstdint>

#include "shortfall/learn/drift_alarm.hpp"

namespace shortfall::app {

/// The alarm of a stream, with the row of the last one.
struct DriftWatch {
  learn::DriftAlarm alarm;
  std::uint64_t last_row = 0;  ///< 0: there was none

  template <class Archive>
  void archive(Archive& state) {
    alarm.archive(state);
    state(last_row);
  }
};

}  // namespace shortfall::app
