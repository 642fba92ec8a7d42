#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "shortfall/errors/error.hpp"
#include "shortfall/formats/model_csv.hpp"

namespace shortfall::io {

/// The result of reading a table, as text: its rows to the last bit, or the message.
inline std::string outcome_of(const std::string& path, const ReadOptions& options) {
  try {
    const LoadedTable loaded = read_table_csv(path, options);
    const TransitionTable& t = loaded.table;
    std::string text = fmt::format("ids from {} and {}\n", t.state_base, t.action_base);
    for (std::size_t i = 0; i < t.rows(); ++i) {
      text += fmt::format("{} {} {} {} {}\n", t.from[i], t.action[i], t.to[i], t.probability[i],
                          t.cost[i]);
    }
    return text;
  } catch (const InvalidInput& error) {
    return error.what();
  }
}

}  // namespace shortfall::io
