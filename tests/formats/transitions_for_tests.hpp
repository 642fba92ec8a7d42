#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/errors/error.hpp"
#include "shortfall/formats/transition_stream.hpp"

namespace shortfall::io {

using Next = TransitionStream::Next;

/// A transition as text that shows every bit: the shortest form of a double reads back to itself.
inline std::string text_of(const Transition& row) {
  return fmt::format("{} | {} | {}{}{}{}", fmt::join(row.phi, " "), fmt::join(row.phi_next, " "),
                     row.cost, row.terminal ? " terminal" : "",
                     row.weight == 1.0 ? "" : fmt::format(" weight {}", row.weight),
                     row.seq ? fmt::format(" seq {}", *row.seq) : "");
}

using Rows = std::vector<std::string>;

/// The results of next() until it starves or ends, and the last one.
inline Next take_rows(TransitionStream& in, Rows& rows) {
  for (;;) {
    const Next next = in.next();
    if (next != Next::row) return next;
    rows.push_back(text_of(in.transition()));
  }
}

/// All rows that are left.
inline Rows rows_of(TransitionStream& in) {
  Rows rows;
  while (take_rows(in, rows) == Next::starved) in.fill();
  return rows;
}

inline Rows rows_of(const std::string& path, BadRow bad_row = BadRow::reject) {
  TransitionStream in(path, bad_row);
  return rows_of(in);
}

/// A pipe into which the test writes.
class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    ::close(ends_[0]);
    close();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string path() const { return fmt::format("/dev/fd/{}", ends_[0]); }
  int reading_end() const { return ends_[0]; }
  int writing_end() const { return ends_[1]; }

  /// At most what fits into a pipe that nobody reads, 64 KiB on Linux.
  void write(std::string_view text) const {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

/// Sends `text`, at most what fits into a pipe, and reads all of it. The loop is needed because one
/// read takes no more than fits into the buffer.
inline void pass(std::string_view text, const Pipe& pipe, TransitionStream& in, Rows& rows) {
  pipe.write(text);
  pollfd ready{.fd = in.descriptor(), .events = POLLIN, .revents = 0};
  while (::poll(&ready, 1, 0) == 1) {
    EXPECT_TRUE(in.fill());
    EXPECT_EQ(take_rows(in, rows), Next::starved);
  }
}

/// The rows of `text`, sent through a pipe in pieces of 1 to `longest` bytes.
inline Rows rows_through_pipe(std::string_view text, std::size_t longest, std::mt19937_64& random,
                              const StreamPosition& resume = {}) {
  Pipe pipe;
  TransitionStream in(pipe.path(), BadRow::reject, resume);
  Rows rows;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, 1 + random() % longest);
    text.remove_prefix(piece.size());
    pass(piece, pipe, in, rows);
  }
  pipe.close();
  EXPECT_FALSE(in.fill());
  EXPECT_EQ(take_rows(in, rows), Next::end);
  return rows;
}

}  // namespace shortfall::io
