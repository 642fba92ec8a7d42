#include "apps/shortfall/command_line.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <new>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/standard_streams.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {
namespace {

constexpr auto out_of_memory = "out of memory";  // short enough for a string without allocation

std::terminate_handler usual_end = nullptr;
std::atomic<bool> memory_ran_out = false;

/// As without such a function, but it is known afterwards.
void note_lack_of_memory() {
  memory_ran_out = true;
  throw std::bad_alloc();
}

/// Code that was compiled without handlers, as some of simdjson, ends without a current exception.
bool lost_exception_is_bad_alloc() {
  try {
    if (std::current_exception()) throw;
    return memory_ran_out;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

[[noreturn]] void end_by_lost_exception() {
  if (lost_exception_is_bad_alloc()) {
    print_error(out_of_memory);
    std::_Exit(no_answer);
  }
  usual_end();
  std::abort();
}

}  // namespace

ProgramEnd end_by_exception() try {
  try {
    throw;
  } catch (const InvalidInput& error) {
    // Streams hide that memory ran out: toml++ then takes a number for none.
    if (memory_ran_out) return {no_answer, out_of_memory};
    return {bad_input, error.what()};
  } catch (const io::OutputError& error) {
    return {bad_input, error.what()};
  } catch (const FailedElsewhere&) {
    return {success};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return {no_answer, error.what()};
  }
} catch (const std::bad_alloc&) {  // even if it was the copy of a message that needed memory
  return {no_answer, out_of_memory};
}

void print_error(const std::string& message) {
  fmt::basic_memory_buffer<char, 4096> line;  // on the stack: there may be no memory
  fmt::format_to(std::back_inserter(line), "shortfall: {}\n", message);
  say({line.data(), line.size()});
}

int run_command(const Command& command) {
  const auto [exit_code, message] = end_of(command);
  if (!message.empty()) print_error(message);
  return exit_code;
}

void end_in_order_without_memory() {
  usual_end = std::set_terminate(end_by_lost_exception);
  std::set_new_handler(note_lack_of_memory);
}

int run_command_line(int argc, char** argv) {
  end_in_order_without_memory();
  return run_command([&] {
    prepare_standard_streams();
    const Command command = parse_arguments(argc, argv);
    return command ? command() : success;
  });
}

}  // namespace shortfall::app
