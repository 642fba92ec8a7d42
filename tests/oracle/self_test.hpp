#pragma once

namespace oracle {

/// Holds the oracle itself to answers that are known from elsewhere, and to a second way of getting
/// them. Prints what fails; true where nothing does.
bool self_test();

}  // namespace oracle
