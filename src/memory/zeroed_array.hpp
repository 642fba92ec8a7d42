#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

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

}  // namespace shortfall::detail
