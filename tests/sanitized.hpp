#pragma once

#include <cstdlib>

namespace shortfall::testing {

/// What the sanitized twins of a command and of a test binary have behind their names: empty in the
/// plain ones.
inline const char* sanitized_suffix() {
  const char* const suffix = std::getenv("SHORTFALL_SUFFIX");
  return suffix ? suffix : "";
}

inline bool is_sanitized() {
  return *sanitized_suffix() != '\0';
}

}  // namespace shortfall::testing
