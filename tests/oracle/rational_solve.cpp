#include "solve.hpp"

#include <cstddef>

namespace oracle {
namespace {

constexpr int max_rounds = 12;

using RationalVector = std::vector<mpq_class>;

/// E ℓ(c + γV(X') - v) is offset + Σ_j weight_j V(j) - slope v on the current pieces.
struct Line {
  mpq_class offset = 0;
  mpq_class slope = 0;
  RationalVector weight;
  mpq_class expected = 0;  ///< E ℓ itself, at the given V and v
};

Line line_at(const RationalLaw& law, const Loss& loss, const mpq_class& gamma,
             const RationalVector& values, std::size_t state) {
  Line line;
  line.weight.resize(values.size());
  RationalVector beyond(values.size());  // γV(j) - v
  for (std::size_t j = 0; j < values.size(); ++j) beyond[j] = gamma * values[j] - values[state];
  for (const auto& [probability, cost, next] : law) {
    const Piece& piece = loss.piece_at(cost + beyond[next]);
    const mpq_class steepness = probability * piece.slope;
    line.offset += steepness * cost + probability * piece.intercept;
    line.slope += steepness;
    line.weight[next] += steepness;
  }
  line.expected = line.offset;
  for (std::size_t j = 0; j < values.size(); ++j) line.expected += line.weight[j] * beyond[j];
  for (mpq_class& w : line.weight) w *= gamma;
  return line;
}

/// Solves slope_x V(x) - Σ_j weight_xj V(j) = offset_x: diagonally dominant, so that no pivot is 0.
RationalVector solve_lines(const std::vector<Line>& lines, const std::vector<std::size_t>& states,
                           std::size_t size) {
  const std::size_t n = states.size();
  std::vector<RationalVector> a(n, RationalVector(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = -lines[i].weight[states[j]];
    a[i][i] += lines[i].slope;
    a[i][n] = lines[i].offset;
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == 0) continue;
      const mpq_class factor = a[i][k] / a[k][k];
      for (std::size_t j = k + 1; j <= n; ++j) a[i][j] -= factor * a[k][j];
    }
  }
  RationalVector values(size);
  for (std::size_t i = n; i-- > 0;) {
    mpq_class rest = a[i][n];
    for (std::size_t j = i + 1; j < n; ++j) rest -= a[i][j] * values[states[j]];
    values[states[i]] = rest / a[i][i];
  }
  return values;
}

}  // namespace

std::optional<RationalVector> solve_exactly(const RationalLaws& laws, const Loss& loss,
                                            double gamma, RationalVector values) {
  const mpq_class discount(gamma);
  std::vector<std::size_t> states;
  for (std::size_t x = 0; x < laws.size(); ++x) {
    if (laws[x].empty()) {
      values[x] = 0;
    } else {
      states.push_back(x);
    }
  }
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<Line> chosen;
    bool solved = true;
    for (const std::size_t x : states) {
      Line best;
      for (const RationalLaw& law : laws[x]) {
        Line line = line_at(law, loss, discount, values, x);
        // Compares the roots of the linear pieces.
        if (best.slope == 0 || line.expected * best.slope < best.expected * line.slope) {
          best = std::move(line);
        }
      }
      solved = solved && best.expected == 0;
      chosen.push_back(std::move(best));
    }
    if (solved) return values;
    values = solve_lines(chosen, states, laws.size());
  }
  return std::nullopt;
}

}  // namespace oracle
