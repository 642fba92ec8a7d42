#pragma once

#include <fmt/format.h>

#include <cmath>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::testing {

/// Normal features, or those with the sum 1 that averagers accept.
enum class StreamFeatures { normal, averager };

/// A stream of transitions with d features, as text and as numbers; one row in ten ends an episode.
struct StreamForTests {
  struct Row {
    std::vector<double> x, y;
    double cost;
    bool terminal;
  };

  StreamForTests(std::size_t d, std::size_t rows, std::uint64_t seed = 1,
                 StreamFeatures features = StreamFeatures::normal)
      : dimension(d) {
    pcg64 random(seed);
    const auto draw = [&] {
      std::vector<double> v(d);
      double sum = 0.0;
      for (double& x : v) sum += std::abs(x = 0.5 * draw_normal(random));
      if (features == StreamFeatures::normal) return v;
      for (double& x : v) x = std::abs(x) / sum;
      return v;
    };
    for (std::size_t n = 0; n < rows; ++n) {
      data.push_back({draw(), draw(), 10.0 + 10.0 * draw_normal(random), n % 10 == 9});
    }
  }

  std::string header() const {
    std::string text;
    for (const char name : {'x', 'y'}) {
      for (std::size_t i = 1; i <= dimension; ++i) text += fmt::format("{}{},", name, i);
    }
    return text + "cost,terminal\n";
  }

  std::string csv(std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t n = from; n < to; ++n) {
      const Row& row = data[n];
      text += fmt::format("{},{},{},{}\n", fmt::join(row.x, ","), fmt::join(row.y, ","), row.cost,
                          row.terminal ? 1 : 0);
    }
    return text;
  }
  std::string csv() const { return header() + csv(0, data.size()); }

  std::string ndjson(std::size_t from, std::size_t to) const {
    std::string text;
    for (std::size_t n = from; n < to; ++n) {
      const Row& row = data[n];
      text += fmt::format("{{\"x\":[{}],\"y\":[{}],\"cost\":{},\"terminal\":{}}}\n",
                          fmt::join(row.x, ","), fmt::join(row.y, ","), row.cost, row.terminal);
    }
    return text;
  }
  std::string ndjson() const { return ndjson(0, data.size()); }

  std::size_t dimension;
  std::vector<Row> data;
};

}  // namespace shortfall::testing
