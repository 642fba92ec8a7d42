#include "shortfall/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "checkpoint/sealed_file.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr SealedFormat checkpoint_format{
    .first_line = "shortfall checkpoint\n",
    .name = "checkpoint",
    .accepted = "a checkpoint written by shortfall, or a file that does not exist yet",
    .version = checkpoint_version,
    .oldest = oldest_checkpoint_version};

}  // namespace

const char* StateReader::take(std::uint64_t size) {
  if (size > rest_.size()) reject_content();
  const char* const begin = rest_.data();
  rest_.remove_prefix(size);
  return begin;
}

std::uint64_t StateReader::length() {
  std::uint64_t size = 0;
  (*this)(size);
  return size;
}

void StateReader::check_length(std::string_view field, std::uint64_t found,
                               std::uint64_t expected) const {
  if (found == expected) return;
  reject_state(fmt::format("{} has {} numbers; accepted: {}", field, found, expected));
}

void StateReader::reject_state(std::string_view problem) const {
  throw InvalidInput(
      fmt::format("{}: its content does not match these options: {}", name_, problem));
}

void StateReader::reject_content() const {
  reject({.file = name_}, "its content does not match these options", checkpoint_format.accepted);
}

ChangedOption::ChangedOption(std::vector<Change> changes, std::vector<std::string> fixed,
                             std::string path)
    : InvalidInput(message_of(changes, fixed, path)),
      changes_(std::move(changes)),
      fixed_(std::move(fixed)),
      path_(std::move(path)) {}

std::string ChangedOption::message_of(const std::vector<Change>& changes,
                                      const std::vector<std::string>& fixed,
                                      const std::string& path) {
  std::vector<std::string> values;
  std::vector<std::string> before;
  for (const Change& change : changes) {
    values.push_back(fmt::format("{} is {}", change.option, change.value));
    before.push_back(change.before);
  }
  return fmt::format(
      "{}, but the checkpoint {} was made with {}; accepted: the options of the checkpoint, or "
      "another checkpoint file{}",
      fmt::join(values, " and "), path, fmt::join(before, " and "),
      fixed.empty()
          ? ""
          : fmt::format(" (these may not change: {}; all others may)", fmt::join(fixed, ", ")));
}

void write_checkpoint(const std::string& path, std::string_view bytes) {
  write_sealed(path, checkpoint_format, bytes);
}

std::optional<Checkpoint> load_checkpoint(const std::string& path) {
  std::optional<Sealed> sealed = read_sealed(path, checkpoint_format);
  if (!sealed) return std::nullopt;
  return Checkpoint{std::move(sealed->bytes), sealed->version};
}

std::optional<std::string> read_checkpoint(const std::string& path) {
  std::optional<Checkpoint> checkpoint = load_checkpoint(path);
  if (!checkpoint) return std::nullopt;
  return std::move(checkpoint->bytes);
}

}  // namespace shortfall::io
