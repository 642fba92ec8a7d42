#include "files/line_windows.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "files/open_input.hpp"
#include "files/read_at.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

namespace shortfall::io {
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
