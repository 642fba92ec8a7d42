#pragma once

#include <cstddef>
#include <string_view>

namespace shortfall {

/// The memory available to this process, in bytes: that of the machine, or what `ulimit -v` or the
/// control group of a container allows. So many processes share that of the machine and of the
/// control group.
double memory_allowed(std::size_t processes = 1);

/// To be called before a large allocation: the system may grant memory that it does not
/// have, and then kill the process without a message. Throws InvalidInput if `bytes` exceed
/// memory_allowed(): "WHAT needs 6.4 GB of memory; accepted: at most the 2.1 GB available to
/// this process; use REMEDY".
void check_memory(double bytes, std::string_view what, std::string_view remedy);

}  // namespace shortfall
