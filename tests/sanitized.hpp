#pragma once

namespace shortfall::testing {

/// Whether this program was compiled with the address or the thread sanitizer.
constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace shortfall::testing
