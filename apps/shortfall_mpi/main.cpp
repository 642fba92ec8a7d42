#include <unistd.h>

#include <algorithm>

#include "apps/shortfall/output.hpp"
#include "apps/shortfall/program.hpp"
#include "apps/shortfall_mpi/mpi_commands.hpp"
#include "mpi/session.hpp"

namespace shortfall::app {
namespace {

/// The cores of this machine divided among its ranks. Where mpirun or srun bind ranks to cores,
/// there are no more threads than these.
int threads_per_rank(mpi::Session& session) {
  const auto cores = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, cores / static_cast<int>(session.communicator().ranks_on_machine()));
}

int run_ranks(int argc, char** argv, mpi::Session& session) {
  const Processes processes(session.communicator(), threads_per_rank(session));
  const auto [exit_code, message] = end_of([&]() -> int {
    check_same_start(argc, argv, session.communicator());
    const Program program = mpi_program(processes);
    const Command command = parse_arguments(argc, argv, program);
    if (!command) return success;
    share_standard_input(argc, argv, processes);
    return command();
  });
  return session.end({.exit_code = exit_code, .message = message}, print_error);
}

}  // namespace
}  // namespace shortfall::app

int main(int argc, char** argv) {
  using namespace shortfall;
  app::end_in_order_without_memory();
  const auto [exit_code, message] = app::end_of([&] {
    app::prepare_standard_streams();
    mpi::Session session(argc, argv);
    return app::run_ranks(argc, argv, session);
  });
  if (!message.empty()) app::print_error(message);
  return exit_code;
}
