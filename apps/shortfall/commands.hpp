#pragma once

namespace shortfall::app {

class CommandGroup;

/// Adds every command. Each is in one file: its options, their grammar and checks, and its run.
void add_commands(const CommandGroup& group);

}  // namespace shortfall::app
