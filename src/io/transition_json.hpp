#pragma once

#include <memory>
#include <string_view>

#include "io/transition_row.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::io {

/// Reads the lines of a stream in NDJSON.
class TransitionJson {
 public:
  TransitionJson();
  ~TransitionJson();

  /// Reads `line`, behind which ByteWindow::padding bytes can be read, into `row`. The dimension of
  /// the first row is that of all: `row` has none before, and keeps none where that line is no row.
  /// Throws InvalidInput.
  void read(std::string_view line, const Place& place, TransitionRow& row);

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace shortfall::io
