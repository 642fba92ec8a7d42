#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/transition_row.hpp"
#include "text/csv.hpp"

namespace shortfall::io {

/// Reads the lines of an NDJSON stream.
class TransitionJson {
 public:
  TransitionJson();
  ~TransitionJson();

  /// Reads `line`, which must be followed by `padding` readable bytes, into `row`. The
  /// first valid row sets the dimension of the stream; until then `row` has dimension 0. Throws
  /// InvalidInput.
  void read(std::string_view line, const Place& place, TransitionRow& row);

  /// Keys that were found and are ignored.
  const std::vector<std::string>& ignored() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace shortfall::io
