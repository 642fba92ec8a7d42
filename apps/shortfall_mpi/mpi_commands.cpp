#include "apps/shortfall_mpi/mpi_commands.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "apps/shortfall/grammar.hpp"
#include "errors/require.hpp"
#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "studies/source_hash.hpp"

namespace shortfall::app {

namespace {

/// What identifies the program, its arguments, and the last bits of its functions.
struct Start {
  std::uint64_t program;
  std::uint64_t arguments;
  std::uint64_t functions;
};

/// A fingerprint of the long double functions of the C library, which depend on the library's
/// version and, in the last bit, on the processor's vendor.
std::uint64_t checksum_of_functions() {
  std::vector<double> values;
  const auto keep = [&](long double x) {
    const auto high = static_cast<double>(x);
    values.insert(values.end(), {high, static_cast<double>(x - high)});
  };
  for (long double x = 0.001L; x < 20.0L; x *= 1.01L) {
    for (const long double value : {std::exp(x), std::exp(-x), std::expm1(x), std::expm1(-x),
                                    std::log(x), std::log1p(x), std::pow(x, 0.3L)}) {
      keep(value);
    }
  }
  return io::checksum({reinterpret_cast<const char*>(values.data()), 8 * values.size()});
}

Start start_of(int argc, char** argv) {
  std::string arguments;
  for (int i = 1; i < argc; ++i) (arguments += argv[i]) += '\0';
  const std::string program = std::string(SHORTFALL_VERSION " ") += studies::source_hash();
  return {.program = io::checksum(program),
          .arguments = (std::uint64_t{arguments.size()} << 32) + io::checksum(arguments),
          .functions = checksum_of_functions()};
}

}  // namespace

void check_same_start(int argc, char** argv, detail::Communicator& ranks) {
  const std::vector<Start> starts = ranks.gather_one(start_of(argc, argv));
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    require(starts[r].program == starts[0].program,
            "rank {} runs a different version of shortfall-mpi from rank 0; accepted: the same "
            "program on all ranks",
            r);
    require(
        starts[r].arguments == starts[0].arguments,
        "rank {} was started with different arguments from rank 0; accepted: the same on all ranks",
        r);
    require(starts[r].functions == starts[0].functions,
            "functions on rank {} round differently from those on rank 0; accepted: one version of "
            "the C library, and processors of one vendor, on all ranks",
            r);
  }
}

namespace {

/// Also as the value in --policy=-.
bool names_standard_input(std::string_view argument) {
  const std::string_view value = argument.substr(argument.find('=') + 1);
  return argument == "-" || value == "-" || value == "/dev/stdin" || value == "/dev/fd/0" ||
         value == "/proc/self/fd/0";
}

void check_call(bool succeeded, const char* what) {
  const std::error_code error(errno, std::generic_category());
  require(succeeded, "standard input: {}: {}", what, error.message());
}

/// Reads until the end or until `window` is full; returns the number of bytes.
std::size_t read_standard_input(std::span<std::byte> window) {
  std::size_t size = 0;
  while (size < window.size()) {
    const long count = io::read_some(STDIN_FILENO, reinterpret_cast<char*>(window.data()) + size,
                                     window.size() - size);
    check_call(count >= 0, "cannot be read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  return size;
}

void append(std::span<const std::byte> bytes, const io::FileDescriptor& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_call(io::write_all(file.get(), text), "cannot be copied");
}

/// A file without a name, so that what is copied there is read like any redirected file.
io::FileDescriptor open_copy() {
  io::FileDescriptor file(::memfd_create("standard input", 0));
  check_call(file.is_open(), "cannot be copied");
  return file;
}

void make_standard_input(const io::FileDescriptor& file) {
  check_call(::lseek(file.get(), 0, SEEK_SET) == 0 && ::dup2(file.get(), STDIN_FILENO) >= 0,
             "cannot be copied");
}

}  // namespace

void share_standard_input(int argc, char** argv, const Processes& processes) {
  detail::Communicator& ranks = processes.communicator();
  if (ranks.size() == 1 || std::none_of(argv + 1, argv + argc, names_standard_input)) return;
  const io::FileDescriptor copy = processes.together(open_copy);
  std::vector<std::byte> window(std::size_t{1} << 20);
  while (true) {
    std::size_t count = 0;
    processes.on_first([&] { count = read_standard_input(window); });
    count = ranks.sum(std::uint64_t{count});  // others have read nothing
    if (count == 0) break;
    std::vector<std::size_t> begin(ranks.size() + 1, count);
    begin.front() = 0;
    ranks.gather(std::span(window).first(count), begin);
    processes.together([&] { append(std::span(window).first(count), copy); });
  }
  processes.together([&] { make_standard_input(copy); });
}

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
