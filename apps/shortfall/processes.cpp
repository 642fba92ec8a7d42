#include "apps/shortfall/processes.hpp"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

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
  const std::size_t size = ranks_->size();
  if (size == 1) return;
  std::vector<std::uint64_t> read(2 * size);
  read[2 * ranks_->rank()] = bytes.size();
  read[2 * ranks_->rank() + 1] =
      io::checksum({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::vector<std::size_t> begin(size + 1);
  for (std::size_t r = 0; r <= size; ++r) begin[r] = 2 * r;
  ranks_->gather(std::span(read), begin);
  for (std::size_t r = 1; r < size; ++r) {
    require(read[2 * r] == read[0] && read[2 * r + 1] == read[1],
            "{}: rank {} has read other contents than rank 0; accepted: the same file for all "
            "ranks, which does not change",
            name, r);
  }
}

void Processes::add_to(nlohmann::json& document) const {
  if (is_named_) document["ranks"] = ranks_->size();
}

}  // namespace shortfall::app
