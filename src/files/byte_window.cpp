#include "files/byte_window.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace shortfall::io {
namespace {

constexpr std::size_t first_capacity = std::size_t{256} << 10;
constexpr std::size_t smallest_read = std::size_t{4} << 10;

}  // namespace

ByteWindow::ByteWindow(std::size_t line_limit, std::uint64_t offset)
    : line_limit_(line_limit),
      capacity_(first_capacity),
      buffer_(std::make_unique_for_overwrite<char[]>(capacity_ + padding)),
      offset_(offset) {}

Taken ByteWindow::take_line(std::string_view& text) {
  if (dropping_) return drop_rest_of_line() ? Taken::rest : Taken::none;
  const char* const first = buffer_.get() + begin_;
  const void* const found = std::memchr(buffer_.get() + scanned_, '\n', end_ - scanned_);
  if (found == nullptr) {
    scanned_ = end_;
    const std::size_t size = end_ - begin_;
    dropping_ = size > line_limit_;
    if (!dropping_ && (!at_end_ || size == 0)) return Taken::none;
    text = {first, size};
    drop(size);
    return dropping_ ? Taken::too_long : Taken::last_line;
  }
  const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - first);
  text = {first, size};
  dropping_ = size > line_limit_;
  drop(dropping_ ? size : size + 1);
  return dropping_ ? Taken::too_long : Taken::line;
}

bool ByteWindow::drop_rest_of_line() {
  const char* const first = buffer_.get() + begin_;
  const void* const found = std::memchr(first, '\n', end_ - begin_);
  dropping_ = found == nullptr;
  drop(dropping_ ? end_ - begin_
                 : static_cast<std::size_t>(static_cast<const char*>(found) - first) + 1);
  return !dropping_;
}

void ByteWindow::drop(std::size_t count) {
  begin_ += count;
  scanned_ = begin_;
  offset_ += count;
}

void ByteWindow::make_room() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    scanned_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  const bool line_does_not_fit = scanned_ == end_ && end_ <= line_limit_;
  if (capacity_ - end_ >= smallest_read || !line_does_not_fit) return;
  capacity_ = std::min(2 * capacity_, line_limit_ + 2 * smallest_read);
  auto larger = std::make_unique_for_overwrite<char[]>(capacity_ + padding);
  std::memcpy(larger.get(), buffer_.get(), end_);
  buffer_ = std::move(larger);
}

long ByteWindow::fill(int descriptor) {
  if (at_end_) return 0;
  make_room();
  if (end_ == capacity_) return 1;
  const long count = ::read(descriptor, buffer_.get() + end_, capacity_ - end_);
  if (count > 0) end_ += static_cast<std::size_t>(count);
  if (count == 0) at_end_ = true;
  return count;
}

}  // namespace shortfall::io
