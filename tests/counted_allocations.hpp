#pragma once

#include <atomic>

namespace shortfall::testing {

/// The number of allocations so far of a program that links counted_allocations.cpp.
extern std::atomic<long> allocations;

}  // namespace shortfall::testing
