#include "apps/shortfall/command_line.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/standard_streams.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {
namespace {

int print_error(const char* message, ExitCode code) {
  std::fprintf(stderr, "shortfall: %s\n", message);
  return code;
}

template <class Work>
int exit_code_of(const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    return print_error(error.what(), bad_input);
  } catch (const io::OutputError& error) {
    return print_error(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return print_error("out of memory", no_answer);
  } catch (const std::exception& error) {
    return print_error(error.what(), no_answer);
  }
}

}  // namespace

int run_command(const Command& command) {
  return exit_code_of(command);
}

int run_command_line(int argc, char** argv) {
  return exit_code_of([&] {
    prepare_standard_streams();
    const Command command = parse_arguments(argc, argv);
    return command ? command() : success;
  });
}

}  // namespace shortfall::app
