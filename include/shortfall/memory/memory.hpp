#pragma once

#include <cstddef>
#include <string_view>

namespace shortfall {

/// The memory available to this process, in bytes: its share of the machine's memory, or of what
/// the control group of a container allows, if `processes` share them; at most what `ulimit -v`
/// allows.
double memory_allowed(std::size_t processes = 1);

/// To be called before a large allocation: the system may grant memory that it does not
/// have, and then kill the process without a message. Throws InvalidInput if `bytes` exceed
/// memory_allowed(): "WHAT needs 6.4 GB of memory; accepted: at most the 2.1 GB available to
/// this process; use REMEDY".
void check_memory(double bytes, std::string_view what, std::string_view remedy);

}  // namespace shortfall
