#include "apps/shortfall/state_features.hpp"

#include <fmt/format.h>

#include "require.hpp"
#include "shortfall/formats/features_csv.hpp"
#include "shortfall/theory/averager.hpp"
#include "text/place.hpp"
#include "text/text.hpp"

namespace shortfall::app {

Eigen::MatrixXd read_state_features(const std::string& file, std::size_t states) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const io::FeatureRows rows = io::read_features_csv(file);
  require(rows.size() == states, "{}: {}; accepted: one for each of {}", file,
          io::counted(rows.size(), "row"), io::counted(states, "state"));
  return Eigen::Map<const RowMajor>(rows.numbers.data(), static_cast<Eigen::Index>(rows.size()),
                                    static_cast<Eigen::Index>(rows.dimension));
}

void require_averager(const std::string& file, Eigen::MatrixXd phi, const Mdp& model) {
  for (Eigen::Index x = 0; x < phi.rows(); ++x) {
    if (model.is_terminal(static_cast<std::size_t>(x))) phi.row(x).setZero();
  }
  const auto violation = theory::averager_violation(phi);
  if (!violation) return;
  const std::string accepted = "for averagers, " + violation->accepted();
  const auto line = static_cast<std::size_t>(violation->state) + 2;  // after the header
  if (violation->feature) {
    io::reject_field({file, line, fmt::format("x{}", *violation->feature + 1)},
                     fmt::format("{}", violation->value), accepted);
  }
  io::reject({file, line}, fmt::format("the features sum to {:.15g}", violation->value), accepted);
}

}  // namespace shortfall::app
