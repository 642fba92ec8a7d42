#include "apps/shortfall/divided_model.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "files/input_file.hpp"
#include "files/open_input.hpp"
#include "formats/distributed_model_file.hpp"

namespace shortfall::app {
namespace {

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

/// The size, the beginning and the end of a file.
std::array<std::uint64_t, 2> identity_of(const std::string& path) {
  const io::FileDescriptor file = io::open_input(path);
  const std::uint64_t size = std::filesystem::file_size(path);
  return {size, io::fingerprint_before(size, file.get(), io::input_name(path))};
}

/// Each process reads a part of its own. What is not a file is read by the first alone.
void check_same_file(const std::string& path, const Processes& processes) {
  if (processes.communicator().size() == 1) return;
  if (!processes.any(processes.is_first() && is_regular_file(path))) return;
  const auto identity = processes.together([&] { return identity_of(path); });
  processes.check_same(std::as_bytes(std::span(identity)), io::input_name(path));
}

}  // namespace

DividedModel::DividedModel(detail::DistributedModel model, io::Sense sense)
    : model_(std::move(model)), sense_(sense) {
  detail::Communicator& ranks = model_.partition().communicator();
  const Outcomes& own = model_.rows().outcomes();
  pairs_ = ranks.sum(std::uint64_t{own.rows()});
  outcomes_ = ranks.sum(std::uint64_t{own.size()});
  actions_ = static_cast<std::size_t>(ranks.max(static_cast<double>(action_ids(model_.rows()))));
}

Policy DividedModel::whole(const Policy& own) const {
  return model_.partition().communicator().gather_on_first<ActionIndex>(own);
}

Solution DividedModel::whole(const Solution& own) const {
  return {.status = own.status,
          .values = model_.partition().communicator().gather_on_first<double>(own.values),
          .policy = whole(own.policy),
          .error_bound = own.error_bound,
          .iterations = own.iterations,
          .trace = own.trace};
}

DividedModel read_divided_model(const std::string& path, int threads, const Processes& processes) {
  check_same_file(path, processes);
  io::LoadedPart loaded =
      io::read_distributed_model(path, processes.communicator(), {.threads = threads});
  return {std::move(loaded.model), loaded.sense};
}

}  // namespace shortfall::app
