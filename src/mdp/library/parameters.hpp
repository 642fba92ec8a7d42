#pragma once

#include <cstddef>

/// Parameter checks shared by the models of the library; all throw InvalidInput, naming `what`.
namespace shortfall::library {

/// Throws unless `value` is a number in [0, 1].
void check_probability(const char* what, double value);

/// Throws unless at least `least` and small enough for StateIndex.
void check_count(const char* what, std::size_t value, std::size_t least);

}  // namespace shortfall::library
