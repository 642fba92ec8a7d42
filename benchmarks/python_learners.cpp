#include "benchmarks/python_learners.hpp"

#include <fmt/format.h>

#include <sstream>

namespace shortfall::benchmarks {

PythonLearners::PythonLearners() : process_({SHORTFALL_PYTHON, SHORTFALL_NUMPY_LEARNERS}) {}

void PythonLearners::take(const TransitionRing& ring, std::size_t warmup) {
  process_.send(fmt::format("ring {} {} {}\n", ring.dimension, ring.size, warmup));
  process_.send(bytes_of(ring.features));
  process_.send(bytes_of(ring.costs));
}

std::vector<double> PythonLearners::learn(const std::string& algorithm, const std::string& library,
                                          std::size_t updates) {
  process_.send(fmt::format("learn {} {} {}\n", algorithm, library, updates));
  std::istringstream answer(process_.read_line());
  std::vector<double> theta;
  for (double x; answer >> x;) theta.push_back(x);
  return theta;
}

Contestant PythonLearners::contestant(const std::string& algorithm, const std::string& library,
                                      std::size_t updates) {
  return {.name = library, .run = {}, .seconds = [=, this] {
            process_.send(fmt::format("time {} {} 0.05\n", algorithm, library));
            return static_cast<double>(updates) * std::stod(process_.read_line());
          }};
}

}  // namespace shortfall::benchmarks
