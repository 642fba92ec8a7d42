#include "dp/single_successors.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace shortfall::detail {
namespace {

constexpr std::uint32_t no_successor = std::numeric_limits<std::uint32_t>::max();

enum class Mark : std::uint8_t { unseen, on_path, solved };

/// What an equation needs besides the value of its successor.
struct Link {
  std::uint32_t next = no_successor;
  double factor = 0.0;  // γ w
  double b = 0.0;
};

/// The equations of all states, in order.
std::vector<Link> links_of(const Tangent& tangent, const Eigen::VectorXd& b) {
  const Partition& partition = tangent.partition();
  std::vector<Link> own(tangent.states());
  for (std::size_t x = 0; x < own.size(); ++x) {
    const PackedRows::Row row = tangent.rows().row(x);
    own[x].b = b[static_cast<Eigen::Index>(x)];
    if (row.next.empty()) continue;
    own[x].next = partition.state_of(row.next[0]);
    own[x].factor = tangent.gamma() * row.weight(0);
  }
  return partition.gather<Link>(own);
}

/// d at the first state of the cycle that leads back to it.
double solve_cycle(const std::vector<Link>& links, std::uint32_t first) {
  double sum = 0.0;
  double factor = 1.0;
  std::uint32_t x = first;
  do {
    sum += factor * links[x].b;
    factor *= links[x].factor;
    x = links[x].next;
  } while (x != first);
  return sum / (1.0 - factor);
}

}  // namespace

void solve_single_successors(const Tangent& tangent, const Eigen::VectorXd& b, Eigen::VectorXd& d) {
  const std::vector<Link> links = links_of(tangent, b);
  std::vector<double> solved(links.size());
  std::vector<Mark> marks(links.size(), Mark::unseen);
  std::vector<std::uint32_t> path;
  for (std::size_t start = 0; start < links.size(); ++start) {
    auto x = static_cast<std::uint32_t>(start);
    while (x != no_successor && marks[x] == Mark::unseen) {
      marks[x] = Mark::on_path;
      path.push_back(x);
      x = links[x].next;
    }
    if (x != no_successor && marks[x] == Mark::on_path) {
      solved[x] = solve_cycle(links, x);
      marks[x] = Mark::solved;
    }
    for (; !path.empty(); path.pop_back()) {
      const std::uint32_t y = path.back();
      if (marks[y] == Mark::solved) continue;
      const Link& link = links[y];
      solved[y] = link.next == no_successor ? link.b : link.b + link.factor * solved[link.next];
      marks[y] = Mark::solved;
    }
  }
  d = Eigen::VectorXd::Map(solved.data() + tangent.partition().first(), b.size());
}

}  // namespace shortfall::detail
