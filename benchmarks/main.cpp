#include <cstdio>

#include "side_by_side.hpp"

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  shortfall::benchmarks::risk_against_bisection();
  shortfall::benchmarks::sweep_against_bandwidth();
  shortfall::benchmarks::solvers_and_loading();
}
