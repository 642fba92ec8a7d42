#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::app {

/// The features of all states from a CSV file, one row per state. Throws InvalidInput unless there
/// are as many rows as states.
Eigen::MatrixXd read_state_features(const std::string& file, std::size_t states);

/// Throws InvalidInput that names the line of the file unless the features are nonnegative and sum
/// to at most 1, as averagers need. Rows of terminal states do not count.
void require_averager(const std::string& file, Eigen::MatrixXd phi, const Mdp& model);

}  // namespace shortfall::app
