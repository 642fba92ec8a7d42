#include "files/line_windows.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "files/file_descriptor.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

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

namespace {

/// The size of a regular file that is not empty; nothing for any other input.
std::optional<std::uint64_t> size_of(const std::string& path) {
  struct stat status {};
  if (is_standard_input(path) || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

LineWindows::LineWindows(const std::string& path, std::size_t window_bytes)
    : name_(input_name(path)) {
  const std::optional<std::uint64_t> size = size_of(path);
  if (!size) {
    whole_.emplace(path);
    size_ = whole_->text().size();
    return;
  }
  size_ = *size;
  file_ = open_input(path);
  // Room for the incomplete line left from the previous window, and for the end of a line.
  capacity_ = static_cast<std::size_t>(
      std::min<std::uint64_t>(size_, window_bytes + 2 * (longest_line + 1)));
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
  fill();
  const std::string_view text(buffer_.get(), end_);
  check_is_text({.file = name_}, text.substr(0, longest_line));
  if (text.starts_with(byte_order_mark)) taken_ = byte_order_mark.size();
}

std::string_view LineWindows::next() {
  if (done_) return {};
  if (whole_) return take_whole();
  for (;;) {
    fill();
    const std::string_view text = take_lines();
    if (!text.empty() || done_) return text;
  }
}

std::string_view LineWindows::take_whole() {
  done_ = true;
  return without_blank_end(whole_->text());
}

/// Moves the bytes not taken to the front, and reads more after them.
void LineWindows::fill() {
  std::memmove(buffer_.get(), buffer_.get() + taken_, end_ - taken_);
  end_ -= taken_;
  taken_ = 0;
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(capacity_ - end_, size_ - offset_));
  if (!read_blocks_at(offset_, {buffer_.get() + end_, count}, file_.get(), name_)) {
    reject_cut_short(name_, size_);
  }
  end_ += count;
  offset_ += count;
}

std::string_view LineWindows::take_lines() {
  const std::string_view text(buffer_.get(), end_);
  if (offset_ == size_) {
    done_ = true;
    return without_blank_end(text);
  }
  const std::size_t whole_lines = text.rfind('\n') + 1;  // 0 if there is none
  if (end_ - whole_lines > longest_line) {
    taken_ = end_;
    return text;
  }
  const std::size_t last_row = without_blank_end(text.substr(0, whole_lines)).size();
  taken_ = last_row == 0 ? 0 : text.find('\n', last_row) + 1;
  const std::string_view rows = text.substr(0, taken_);
  // These blank lines may be the ones that end the file. One is kept for all of them: if text
  // follows, the first blank line is rejected.
  if (const std::size_t blank = whole_lines - taken_; blank > 1) {
    taken_ = whole_lines - 1;
    buffer_[taken_] = '\n';
  }
  return rows;
}

}  // namespace shortfall::io
