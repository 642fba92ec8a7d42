#pragma once

#include <string_view>

namespace shortfall {

/// How much memory this process may have, in bytes: what the machine has, or what `ulimit -v` or
/// the control group of a container leaves of it.
double memory_allowed();

/// To be called before large memory is taken, which the system may promise and not have: it then
/// ends the process without a word. Throws InvalidInput where `bytes` exceed memory_allowed():
/// "WHAT needs 6.4 GB of memory; accepted: at most the 2.1 GB that this process may have, so
/// REMEDY".
void check_memory(double bytes, std::string_view what, std::string_view remedy);

}  // namespace shortfall
