#include "apps/shortfall/processes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "files/checksum.hpp"
#include "require.hpp"

namespace shortfall::app {

void Processes::run_together(const std::function<void()>& work) const {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  const bool has_failed = any(failure != nullptr);
  if (failure) std::rethrow_exception(failure);
  if (has_failed) throw FailedElsewhere();
}

bool Processes::is_to_report() const {
  ranks_->any(false);
  return is_first();
}

void Processes::check_same(std::span<const std::byte> bytes, const std::string& name) const {
  if (ranks_->size() == 1) return;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto read =
      ranks_->gather_one(std::array<std::uint64_t, 2>{text.size(), io::checksum(text)});
  for (std::size_t r = 1; r < read.size(); ++r) {
    require(read[r] == read[0],
            "{}: rank {} has read other contents than rank 0; accepted: the same file for all "
            "ranks, which does not change",
            name, r);
  }
}

void Processes::add_to(nlohmann::json& document) const {
  if (is_named_) document["ranks"] = ranks_->size();
}

}  // namespace shortfall::app
