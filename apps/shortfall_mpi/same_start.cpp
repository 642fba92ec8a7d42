#include "apps/shortfall_mpi/same_start.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "errors/require.hpp"
#include "files/checksum.hpp"
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

}  // namespace shortfall::app
