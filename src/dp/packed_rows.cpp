#include "dp/packed_rows.hpp"

#include <algorithm>
#include <utility>

#include "parallel/bytes.hpp"

namespace shortfall::detail {
namespace {

/// The rows of own states [first, last).
Bytes message(const PackedRows& own, const Partition& partition, std::size_t first,
              std::size_t last) {
  if (first >= last) return {};
  Bytes bytes;
  const std::size_t begin = own.begin[first];
  const std::size_t count = own.begin[last] - begin;
  std::vector<std::size_t> lengths;
  for (std::size_t x = first; x < last; ++x) {
    lengths.push_back(own.begin[x + 1] - own.begin[x]);
  }
  append_array<std::size_t>(bytes, lengths);
  std::vector<std::uint32_t> next(count);
  std::transform(own.next.data() + begin, own.next.data() + begin + count, next.begin(),
                 [&](std::uint32_t local) { return partition.state_of(local); });
  append_array<std::uint32_t>(bytes, next);
  if (own.is_narrow()) {
    append_array<float>(bytes, std::span(own.narrow).subspan(begin, count));
  } else {
    append_array<double>(bytes, std::span(own.wide).subspan(begin, count));
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
  const std::vector<Bytes> incoming = partition.communicator().all_to_all(std::move(outgoing));

  PackedRows rows;
  for (const Bytes& bytes : incoming) {
    std::span<const std::byte> rest(bytes);
    for (const std::size_t length : take_array<std::size_t>(rest)) {
      rows.begin.push_back(rows.begin.back() + length);
    }
  }
  rows.allocate(own.is_narrow() ? PackedRows::Weights::narrow : PackedRows::Weights::wide);
  std::ptrdiff_t at = 0;
  for (const Bytes& bytes : incoming) {
    std::span<const std::byte> rest(bytes);
    (void)take_array<std::size_t>(rest);
    const std::vector<std::uint32_t> next = take_array<std::uint32_t>(rest);
    std::ranges::copy(next, rows.next.begin() + at);
    if (own.is_narrow()) {
      std::ranges::copy(take_array<float>(rest), rows.narrow.begin() + at);
    } else {
      std::ranges::copy(take_array<double>(rest), rows.wide.begin() + at);
    }
    at += std::ssize(next);
  }
  return rows;
}

}  // namespace shortfall::detail
