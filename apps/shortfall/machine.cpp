#include "apps/shortfall/machine.hpp"

#include <sched.h>

#include <array>
#include <ctime>
#include <fstream>

namespace shortfall::app {

Machine this_machine() {
  Machine machine;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) machine.cores = CPU_COUNT(&allowed);
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    machine.processor = line.substr(colon + 2);
    break;
  }
  return machine;
}

std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  if (gmtime_r(&now, &utc) == nullptr) return {};
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d", &utc);
  return {text.data(), size};
}

}  // namespace shortfall::app
