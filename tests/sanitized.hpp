#pragma once

#include <cstdlib>

namespace shortfall::testing {

/// The suffix of the sanitized builds of the command and of test binaries: empty in the plain ones.
inline const char* sanitized_suffix() {
  const char* const suffix = std::getenv("SHORTFALL_SUFFIX");
  return suffix ? suffix : "";
}

inline bool is_sanitized() {
  return *sanitized_suffix() != '\0';
}

}  // namespace shortfall::testing
