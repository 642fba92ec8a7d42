#include "dp/packed_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace shortfall::detail {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
void append(Bytes& bytes, std::span<const T> items) {
  const auto raw = std::as_bytes(items);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

/// Takes so many items from the front.
template <class T>
std::vector<T> take(std::span<const std::byte>& bytes, std::size_t count) {
  std::vector<T> items(count);
  std::memcpy(items.data(), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
  return items;
}

/// The rows of own states [first, last).
Bytes message(const PackedRows& own, const Partition& partition, std::size_t first,
              std::size_t last) {
  if (first >= last) return {};
  Bytes bytes;
  const std::size_t begin = own.begin[first];
  const std::size_t count = own.begin[last] - begin;
  const std::size_t states = last - first;
  append<std::size_t>(bytes, {&states, 1});
  std::vector<std::size_t> lengths;
  for (std::size_t x = first; x < last; ++x) {
    lengths.push_back(own.begin[x + 1] - own.begin[x]);
  }
  append<std::size_t>(bytes, lengths);
  std::vector<std::uint32_t> next(count);
  std::transform(own.next.data() + begin, own.next.data() + begin + count, next.begin(),
                 [&](std::uint32_t local) { return partition.state_of(local); });
  append<std::uint32_t>(bytes, next);
  if (own.is_narrow()) {
    append<float>(bytes, std::span(own.narrow).subspan(begin, count));
  } else {
    append<double>(bytes, std::span(own.wide).subspan(begin, count));
  }
  return bytes;
}

}  // namespace

void PackedRows::allocate(Weights weights) {
  is_narrow_ = weights == Weights::narrow;
  next.resize(entries());
  narrow.resize(is_narrow_ ? entries() : 0);
  wide.resize(is_narrow_ ? 0 : entries());
}

PackedRows redistributed(const PackedRows& own, const Partition& partition,
                         std::span<const std::size_t> begin) {
  const std::size_t first = partition.first();
  const std::size_t end = first + partition.states();
  std::vector<Bytes> outgoing;
  for (std::size_t rank = 0; rank + 1 < begin.size(); ++rank) {
    const std::size_t from = std::clamp(begin[rank], first, end);
    const std::size_t to = std::clamp(begin[rank + 1], first, end);
    outgoing.push_back(message(own, partition, from - first, to - first));
  }
  const std::vector<Bytes> incoming = partition.communicator().trade(std::move(outgoing));

  PackedRows rows;
  for (const Bytes& bytes : incoming) {
    std::span<const std::byte> rest(bytes);
    const std::size_t states = rest.empty() ? 0 : take<std::size_t>(rest, 1)[0];
    for (const std::size_t length : take<std::size_t>(rest, states)) {
      rows.begin.push_back(rows.begin.back() + length);
    }
  }
  rows.allocate(own.is_narrow() ? PackedRows::Weights::narrow : PackedRows::Weights::wide);
  std::size_t at = 0;
  for (const Bytes& bytes : incoming) {
    std::span<const std::byte> rest(bytes);
    const std::size_t states = rest.empty() ? 0 : take<std::size_t>(rest, 1)[0];
    std::size_t count = 0;
    for (const std::size_t length : take<std::size_t>(rest, states)) count += length;
    const auto place = static_cast<std::ptrdiff_t>(at);
    std::ranges::copy(take<std::uint32_t>(rest, count), rows.next.begin() + place);
    if (own.is_narrow()) {
      std::ranges::copy(take<float>(rest, count), rows.narrow.begin() + place);
    } else {
      std::ranges::copy(take<double>(rest, count), rows.wide.begin() + place);
    }
    at += count;
  }
  return rows;
}

}  // namespace shortfall::detail
