#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

/// Arrays as bytes, one after the other, for Communicator::all_to_all().
namespace shortfall::detail {

using Bytes = std::vector<std::byte>;

template <class T>
void append_array(Bytes& bytes, std::span<const T> items) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::uint64_t count = items.size();
  const auto length = std::as_bytes(std::span(&count, 1));
  const auto contents = std::as_bytes(items);
  bytes.insert(bytes.end(), length.begin(), length.end());
  bytes.insert(bytes.end(), contents.begin(), contents.end());
}

/// The first one, which is taken away; nothing if there are no bytes.
template <class T>
std::vector<T> take_array(std::span<const std::byte>& bytes) {
  if (bytes.empty()) return {};
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data(), sizeof(count));
  bytes = bytes.subspan(sizeof(count));
  std::vector<T> items(count);
  if (count > 0) std::memcpy(items.data(), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
  return items;
}

}  // namespace shortfall::detail
