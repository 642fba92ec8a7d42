#pragma once

#include <string>

/// Where and when a program runs, for the origin of results that depend on it, such as times.
namespace shortfall::app {

struct Machine {
  std::string processor;  ///< its model; empty if the system does not tell
  int cores = 0;          ///< that this process may use; 0 if the system does not tell
};
Machine this_machine();

/// The date of today in UTC, as 2026-11-16; empty if the clock shows none.
std::string date_of_today();

}  // namespace shortfall::app
