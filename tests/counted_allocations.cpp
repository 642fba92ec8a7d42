#include "tests/counted_allocations.hpp"

#include <cstdlib>
#include <new>

namespace shortfall::testing {

std::atomic<long> allocations{0};
std::atomic<long> failing_allocation{0};

namespace {

/// Null if this allocation fails.
void* counted(void* memory) noexcept {
  if (++allocations != failing_allocation) return memory;
  std::free(memory);
  return nullptr;
}

void* counted_or_thrown(void* memory) {
  if (void* const result = counted(memory)) return result;
  throw std::bad_alloc();
}

void* aligned(std::size_t size, std::align_val_t alignment) noexcept {
  const auto bytes = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes);
}

}  // namespace
}  // namespace shortfall::testing

using shortfall::testing::aligned;
using shortfall::testing::counted;
using shortfall::testing::counted_or_thrown;

// All of them: sanitizers have their own, and do not forward one to another. Not inlined: GCC would
// see malloc behind `new` and free behind `delete` and report a mismatch.
#define SHORTFALL_ALLOCATE(name)                                                            \
  [[gnu::noinline]] void* operator name(std::size_t size) {                                 \
    return counted_or_thrown(std::malloc(size));                                            \
  }                                                                                         \
  [[gnu::noinline]] void* operator name(std::size_t size, std::align_val_t alignment) {     \
    return counted_or_thrown(aligned(size, alignment));                                     \
  }                                                                                         \
  [[gnu::noinline]] void* operator name(std::size_t size, const std::nothrow_t&) noexcept { \
    return counted(std::malloc(size));                                                      \
  }                                                                                         \
  [[gnu::noinline]] void* operator name(std::size_t size, std::align_val_t alignment,       \
                                        const std::nothrow_t&) noexcept {                   \
    return counted(aligned(size, alignment));                                               \
  }
#define SHORTFALL_RELEASE(name)                                                                \
  [[gnu::noinline]] void operator name(void* memory) noexcept {                                \
    std::free(memory);                                                                         \
  }                                                                                            \
  [[gnu::noinline]] void operator name(void* memory, std::size_t) noexcept {                   \
    std::free(memory);                                                                         \
  }                                                                                            \
  [[gnu::noinline]] void operator name(void* memory, std::align_val_t) noexcept {              \
    std::free(memory);                                                                         \
  }                                                                                            \
  [[gnu::noinline]] void operator name(void* memory, std::size_t, std::align_val_t) noexcept { \
    std::free(memory);                                                                         \
  }
SHORTFALL_ALLOCATE(new)
SHORTFALL_ALLOCATE(new[])
SHORTFALL_RELEASE(delete)
SHORTFALL_RELEASE(delete[])
