#pragma once

namespace oracle {

/// Checks the oracle itself against known solutions, and against a second method. Prints failures;
/// true if there are none.
bool self_test();

}  // namespace oracle
