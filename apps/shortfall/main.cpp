#include <cstdio>
#include <exception>
#include <new>
#include <variant>

#include "arguments.hpp"
#include "command.hpp"
#include "shortfall/error.hpp"
#include "shortfall/io/atomic_file.hpp"

namespace {

int complain(const char* message, shortfall::app::ExitCode code) {
  std::fprintf(stderr, "shortfall: %s\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace shortfall::app;
  try {
    const auto command = parse_arguments(argc, argv);
    if (!command) return success;
    return std::visit([](const auto& options) { return run(options); }, *command);
  } catch (const shortfall::InvalidInput& error) {
    return complain(error.what(), bad_input);
  } catch (const shortfall::io::OutputError& error) {
    return complain(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return complain("out of memory", no_answer);
  } catch (const std::exception& error) {
    return complain(error.what(), no_answer);
  }
}
