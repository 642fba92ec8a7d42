#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

namespace shortfall::detail {

/// A large array that begins with zeros. Memory is taken when elements are first written, by the
/// thread that does so: what is never written costs neither time nor memory.
template <class T>
class ZeroedArray {
  static_assert(std::is_arithmetic_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : elements_(static_cast<T*>(std::calloc(std::max<std::size_t>(size, 1), sizeof(T)))),
        size_(size) {
    if (!elements_) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  T& operator[](std::size_t k) { return elements_.get()[k]; }
  const T& operator[](std::size_t k) const { return elements_.get()[k]; }

 private:
  struct Free {
    void operator()(T* elements) const { std::free(elements); }  // NOLINT: of calloc
  };
  std::unique_ptr<T, Free> elements_;
  std::size_t size_ = 0;
};

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
