#include "tests/counted_allocations.hpp"

#include <cstdlib>
#include <new>

namespace shortfall::testing {

std::atomic<long> allocations{0};
std::atomic<long> failing_allocation{0};

namespace {

void* counted(void* memory) {
  const bool fails = ++allocations == failing_allocation;
  if (memory != nullptr && !fails) return memory;
  std::free(memory);
  throw std::bad_alloc();
}

}  // namespace
}  // namespace shortfall::testing

using shortfall::testing::counted;

// Not inlined: GCC would see malloc behind `new` and free behind `delete` and report a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto bytes = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
