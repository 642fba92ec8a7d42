#pragma once

#include <string>
#include <string_view>

namespace shortfall::io {

/// A small inventory with every table: 10 stocks of two ages and total ≤ 3.
inline const std::string small_inventory =
    "[inventory]\n"                           // line 1
    "shelf_life = 3\n"                        // 2
    "capacity = 3\n"                          // 3
    "max_order = 2\n"                         // 4
    "[demand]\n"                              // 5
    "distribution = \"negative-binomial\"\n"  // 6
    "n = 2.5\n"                               // 7
    "mean = 1.25\n"                           // 8
    "max = 4\n"                               // 9
    "[arrival]\n"                             // 10
    "c0 = [1, 0.5]\n"                         // 11
    "c1 = [-0.2, -0.1]\n"                     // 12
    "[cost]\n"                                // 13
    "order = 1\n"                             // 14
    "holding = 0.5\n"                         // 15
    "shortage = 6\n"                          // 16
    "wastage = 2\n"                           // 17
    "[risk]\n"                                // 18
    "loss = \"expectile:0.7\"\n"              // 19
    "gamma = 0.6\n";                          // 20

/// `text` with the line that begins with `old_line` replaced; an empty new line is left out.
inline std::string with_line(std::string text, std::string_view old_line,
                             const std::string& new_line) {
  const std::size_t begin = ("\n" + text).find("\n" + std::string(old_line));
  const std::size_t end = text.find('\n', begin) + 1;
  return text.replace(begin, end - begin, new_line.empty() ? "" : new_line + "\n");
}

}  // namespace shortfall::io
