#pragma once

namespace shortfall::app {

/// Call this before opening any file. It fills closed descriptors among 0, 1 and 2; otherwise the
/// next file opened would take their number and be used as a standard stream.
///
/// Reading from a closed standard input then fails, and writes to a closed standard error are
/// discarded. Throws OutputError if standard output is not writable. SIGPIPE is ignored: writing to
/// a closed pipe is an ordinary failed write from here on. SIGCHLD is not ignored, even if who
/// started this process ignores it: the end of a program that it runs could not be observed.
void prepare_standard_streams();

}  // namespace shortfall::app
