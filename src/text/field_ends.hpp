#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>

namespace shortfall::io {

/// Readable bytes that must follow a text, as vectorised parsers need them.
inline constexpr std::size_t padding = 64;

/// Bit i is set if text[i] may end a field, for i < 64: if it is a comma or line end, or a blank,
/// quote or any other character that ASCII has before '+' or does not have. Digits, points, signs
/// and letters are not. Check: "0,1\n" begins with 0b1010.
inline std::uint64_t field_ends(const char* text) {
  std::uint64_t ends = 0;
#ifdef __SSE2__
  for (int i = 0; i < 64; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + i));
    const __m128i here = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8('+')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8(',')));
    ends |= static_cast<std::uint64_t>(_mm_movemask_epi8(here)) << i;
  }
#else
  for (int i = 0; i < 64; ++i) {
    const bool here = static_cast<signed char>(text[i]) < '+' || text[i] == ',';
    ends |= std::uint64_t{here} << i;
  }
#endif
  return ends;
}

}  // namespace shortfall::io
