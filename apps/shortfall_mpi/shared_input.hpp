#pragma once

#include "apps/shortfall/processes.hpp"

namespace shortfall::app {

/// Gives all processes the standard input of the first, the only one that has it, if an argument
/// names it. It is read to its end and stays in memory.
void share_standard_input(int argc, char** argv, const Processes& processes);

}  // namespace shortfall::app
