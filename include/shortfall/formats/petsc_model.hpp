#pragma once

#include <string>

#include "shortfall/formats/model_csv.hpp"
#include "shortfall/formats/read_options.hpp"

/// Models as two matrices in PETSc's binary format, the input of madupite, a solver of risk-neutral
/// models on PETSc. With n states and m actions, all available in all states,
///
///     transitions  n·m × n   row x·m + a: the probabilities of the next state after action a in x
///     stage costs  n × m     entry (x, a): the cost, or reward, of action a in state x
///
/// A matrix is, in big-endian order, with integers of 32 bits, or all of 64 bits if PETSc was
/// configured so:
///
///     integer × 4     1211216, rows, columns, number of entries
///     integer × rows  number of entries of each row
///     integer × …     columns of the entries, row by row, from 0
///     double × …      their values
///
/// Entries that are left out are 0. If the number of entries is -1, the matrix is dense: all values
/// follow, row by row. Stage costs may also be a vector of n·m entries in the order of the rows:
/// 1211214, number of entries, and their values.
///
/// References: PETSc, manual pages of MatLoad and VecLoad ("Notes") and petscmat.h
/// (MATRIX_BINARY_FORMAT_DENSE); madupite, the function writePETScBinary and the section "Input
/// data format" of its documentation.
namespace shortfall::io {

struct PetscModelFiles {
  std::string transitions;
  std::string stage_costs;
  Sense sense = Sense::cost;  ///< of the stage costs
};

/// Whether `path` is a regular file that begins like a matrix of PETSc. False for what cannot be
/// read.
bool is_petsc_matrix(const std::string& path);

/// The model, as Mdp::build makes it. A row of transitions without entries, or of zeros, means that
/// the state does not have the action. Throws InvalidInput, which names the file and what is wrong.
LoadedModel read_petsc_model(const PetscModelFiles& files, const ReadOptions& options = {});

}  // namespace shortfall::io
