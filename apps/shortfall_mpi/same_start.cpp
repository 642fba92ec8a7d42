#include "apps/shortfall_mpi/same_start.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/checksum.hpp"
#include "require.hpp"
#include "studies/source_hash.hpp"

namespace shortfall::app {
namespace {

/// What identifies the program and its arguments.
struct Start {
  std::uint64_t program;
  std::uint64_t arguments;
};

Start start_of(int argc, char** argv) {
  std::string arguments;
  for (int i = 1; i < argc; ++i) (arguments += argv[i]) += '\0';
  const std::string program = std::string(SHORTFALL_VERSION " ") += studies::source_hash();
  return {.program = io::checksum(program),
          .arguments = (std::uint64_t{arguments.size()} << 32) + io::checksum(arguments)};
}

}  // namespace

void check_same_start(int argc, char** argv, detail::Communicator& ranks) {
  std::vector<Start> starts(ranks.size());
  std::vector<std::size_t> begin(ranks.size() + 1);
  for (std::size_t r = 0; r <= ranks.size(); ++r) begin[r] = r;
  starts[ranks.rank()] = start_of(argc, argv);
  ranks.gather(std::span(starts), begin);
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    require(starts[r].program == starts[0].program,
            "rank {} runs another version of shortfall-mpi than rank 0; accepted: the same "
            "program on all ranks",
            r);
    require(starts[r].arguments == starts[0].arguments,
            "rank {} was started with other arguments than rank 0; accepted: the same on all ranks",
            r);
  }
}

}  // namespace shortfall::app
