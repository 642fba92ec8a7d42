#pragma once

namespace shortfall::app {

/// Makes sure of descriptors 0, 1 and 2 before anything else is opened, which would otherwise take
/// the place of one that is closed, and be read or written as if it were a standard stream.
///
/// Closed standard input reads as an error, closed standard error swallows what is written. Throws
/// OutputError where standard output cannot be written to: a result could not be handed over. A
/// pipe that nobody reads any more is an ordinary failed write from here on, not a signal that ends
/// the program.
void prepare_standard_streams();

}  // namespace shortfall::app
