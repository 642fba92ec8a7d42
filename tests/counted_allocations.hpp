#pragma once

#include <atomic>

namespace shortfall::testing {

/// The number of allocations so far of a program that links counted_allocations.cpp.
extern std::atomic<long> allocations;

/// The number of the allocation that fails, once: std::bad_alloc. 0: none.
extern std::atomic<long> failing_allocation;

}  // namespace shortfall::testing
