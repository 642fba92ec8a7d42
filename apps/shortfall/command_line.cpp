#include "apps/shortfall/command_line.hpp"

#include <cstdio>
#include <exception>
#include <new>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/standard_streams.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {

ProgramEnd end_of(const std::function<int()>& work) {
  try {
    return {work()};
  } catch (const InvalidInput& error) {
    return {bad_input, error.what()};
  } catch (const io::OutputError& error) {
    return {bad_input, error.what()};
  } catch (const FailedElsewhere&) {
    return {success};
  } catch (const std::bad_alloc&) {
    return {no_answer, "out of memory"};
  } catch (const std::exception& error) {
    return {no_answer, error.what()};
  }
}

void print_error(const std::string& message) {
  std::fprintf(stderr, "shortfall: %s\n", message.c_str());
}

int run_command(const Command& command) {
  const auto [exit_code, message] = end_of(command);
  if (!message.empty()) print_error(message);
  return exit_code;
}

int run_command_line(int argc, char** argv) {
  return run_command([&] {
    prepare_standard_streams();
    const Command command = parse_arguments(argc, argv);
    return command ? command() : success;
  });
}

}  // namespace shortfall::app
