// A library to preload into a command: it may only use the vector instructions in the mask
// SHORTFALL_VECTOR_TARGETS. Run as a program it lists the targets that this machine has and the
// command was compiled for: name and mask.

#include <hwy/highway.h>

#include <cstdio>
#include <cstdlib>

namespace {

[[gnu::constructor]] void use_only_targets() {
  const char* const mask = std::getenv("SHORTFALL_VECTOR_TARGETS");
  if (mask != nullptr) hwy::DisableTargets(~std::strtoll(mask, nullptr, 10));
}

}  // namespace

int main() {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    std::printf("%s %lld\n", hwy::TargetName(target), static_cast<long long>(target));
  }
}
