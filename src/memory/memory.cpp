#include "shortfall/memory/memory.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "errors/require.hpp"
#include "memory/zeroed_array.hpp"

namespace shortfall {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
/// Below this, the limits are not even read.
constexpr double small = 64e6;

double physical_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return static_cast<double>(limit.rlim_cur);
}

/// The smallest of the limits of a control group and its ancestors; `group` begins with /.
double least_limit(const std::filesystem::path& root, std::filesystem::path group,
                   const char* name) {
  double least = no_limit;
  for (;; group = group.parent_path()) {
    std::ifstream file(root / group.relative_path() / name);
    double limit = no_limit;
    if (file >> limit && limit > 0.0) least = std::min(least, limit);  // "max" is not a number
    if (!group.has_relative_path()) return least;
  }
}

/// Lines are ID:CONTROLLERS:GROUP; version 2 has one line, without controllers.
double control_group_limit() {
  double least = no_limit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t group = line.find(":/");
    if (group == std::string::npos) continue;
    if (line.starts_with("0::")) {
      least = std::min(least, least_limit("/sys/fs/cgroup", line.substr(group + 1), "memory.max"));
    } else if (line.find(":memory:") != std::string::npos) {
      least = std::min(least, least_limit("/sys/fs/cgroup/memory", line.substr(group + 1),
                                          "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

double memory_allowed(std::size_t processes) {
  const double shared = std::min(physical_memory(), control_group_limit());
  return std::min(shared / static_cast<double>(processes), address_space_limit());
}

void check_memory(double bytes, std::string_view what, std::string_view remedy) {
  if (bytes <= small) return;
  const double allowed = memory_allowed();
  require(
      bytes <= allowed,
      "{} needs {:.3g} GB of memory; accepted: at most the {:.3g} GB available to this process; "
      "use {}",
      what, bytes * 1e-9, allowed * 1e-9, remedy);
}

namespace detail {

void prefer_huge_pages(void* first, std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(first) % page) % page;
  if (bytes < before + page) return;
  ::madvise(static_cast<char*>(first) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
}

}  // namespace detail
}  // namespace shortfall
