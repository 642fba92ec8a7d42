#include "dp/single_successors.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace shortfall::detail {
namespace {

constexpr std::uint32_t no_successor = std::numeric_limits<std::uint32_t>::max();

enum class Mark : std::uint8_t { unseen, on_path, solved };

struct Link {
  std::uint32_t next = no_successor;
  double factor = 0.0;  // γ w
};

Link link_from(const Tangent& tangent, std::size_t x) {
  const Tangent::Row row = tangent.row(x);
  if (row.next.empty()) return {};
  return {row.next[0], tangent.gamma() * row.weight(0)};
}

/// d at the first state of the cycle that leads back to it.
double solve_cycle(const Tangent& tangent, const Eigen::VectorXd& b, std::uint32_t first) {
  double sum = 0.0;
  double factor = 1.0;
  std::uint32_t x = first;
  do {
    const Link link = link_from(tangent, x);
    sum += factor * b[x];
    factor *= link.factor;
    x = link.next;
  } while (x != first);
  return sum / (1.0 - factor);
}

}  // namespace

void solve_single_successors(const Tangent& tangent, const Eigen::VectorXd& b, Eigen::VectorXd& d) {
  d.resize(b.size());
  std::vector<Mark> marks(tangent.states(), Mark::unseen);
  std::vector<std::uint32_t> path;
  for (std::size_t start = 0; start < tangent.states(); ++start) {
    auto x = static_cast<std::uint32_t>(start);
    while (x != no_successor && marks[x] == Mark::unseen) {
      marks[x] = Mark::on_path;
      path.push_back(x);
      x = link_from(tangent, x).next;
    }
    if (x != no_successor && marks[x] == Mark::on_path) {
      d[x] = solve_cycle(tangent, b, x);
      marks[x] = Mark::solved;
    }
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t y = path.back();
      if (marks[y] == Mark::solved) continue;
      const Link link = link_from(tangent, y);
      d[y] = link.next == no_successor ? b[y] : b[y] + link.factor * d[link.next];
      marks[y] = Mark::solved;
    }
  }
}

}  // namespace shortfall::detail
