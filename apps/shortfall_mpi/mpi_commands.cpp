#include "apps/shortfall_mpi/mpi_commands.hpp"

#include "apps/shortfall/grammar.hpp"

namespace shortfall::app {

/// Defined in the file of its command.
void add_solve(const CommandGroup& group);
void add_evaluate(const CommandGroup& group);
void add_inventory_solve(const CommandGroup& group);
void add_inventory_evaluate(const CommandGroup& group);

namespace {

void add_mpi_commands(const CommandGroup& group) {
  add_solve(group);
  add_evaluate(group);
  const CommandGroup inventory =
      group.add_group("inventory", "Ordering policies for perishable stock",
                      "Example: mpirun -n 4 shortfall-mpi inventory solve examples/platelets.toml");
  add_inventory_solve(inventory);
  add_inventory_evaluate(inventory);
}

}  // namespace

Program mpi_program(const Processes& processes) {
  return {.name = "shortfall-mpi",
          .purpose =
              "The exact solvers of shortfall on several processes, started by mpirun or srun. All "
              "options\nand results are those of shortfall, for any number of processes.",
          .example =
              "mpirun -n 4 shortfall-mpi solve examples/forest.csv --loss expectile:0.9 --gamma "
              "0.9",
          .add_commands = add_mpi_commands,
          .processes = processes};
}

}  // namespace shortfall::app
