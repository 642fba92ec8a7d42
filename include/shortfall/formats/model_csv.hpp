#pragma once

#include <string>

#include "shortfall/formats/read_options.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Models as CSV, one outcome per row: columns `idstatefrom`, `idaction`, `idstateto`,
/// `probability` and either `cost` or `reward`, in any order. Rows may be in any order, too, and
/// rows with the same ids are separate outcomes. States and actions each count from 0 or from 1:
/// the smallest id in the file decides.
namespace shortfall::io {

/// Whether a file has costs or rewards. The library uses costs only; a reward is a negative cost.
enum class Sense { cost, reward };
/// A cost as an amount of this sense, and back. Subtracts from 0, because -0.0 would show.
constexpr double in_sense(double amount, Sense sense) {
  return sense == Sense::reward ? 0.0 - amount : amount;
}

struct LoadedTable {
  TransitionTable table;
  Sense sense;
};

struct LoadedModel {
  Mdp model;
  Sense sense;
};

/// Both throw InvalidInput that names the file and the first bad row: line, column, the text found
/// and what is accepted. A table is checked as text only, a model also by Mdp::build. Memory: 28
/// bytes per row of the table, plus a window of the file.
LoadedTable read_table_csv(const std::string& path, const ReadOptions& options = {});
LoadedModel read_model_csv(const std::string& path, const ReadOptions& options = {});

/// Both write ids with their bases and numbers in the shortest form that reads back to the same
/// double. Throws OutputError.
void write_table_csv(const std::string& path, const TransitionTable& table, Sense sense);
void write_model_csv(const std::string& path, const Mdp& model, Sense sense);

}  // namespace shortfall::io
