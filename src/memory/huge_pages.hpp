#pragma once

#include <cstddef>
#include <vector>

namespace shortfall::detail {

/// Asks for huge pages in [first, first + bytes), memory not used before. Has no other effect, and
/// none at all where the system has no such pages, or where they do not fit.
void prefer_huge_pages(void* first, std::size_t bytes);

/// Reserves room for `count` elements, on huge pages if that is much: taking new memory into use
/// page by page, 4 KiB each, takes longer than parsing the numbers stored there.
template <class T>
void reserve(std::vector<T>& column, std::size_t count) {
  const std::size_t before = column.capacity();
  column.reserve(count);
  if (column.capacity() > before) {
    prefer_huge_pages(column.data() + column.size(), (count - column.size()) * sizeof(T));
  }
}

}  // namespace shortfall::detail
