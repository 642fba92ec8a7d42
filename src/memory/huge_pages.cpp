#include "memory/huge_pages.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace shortfall::detail {

void prefer_huge_pages(void* first, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
  if (bytes < before + page) return;
  ::madvise(static_cast<char*>(first) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
}

}  // namespace shortfall::detail
