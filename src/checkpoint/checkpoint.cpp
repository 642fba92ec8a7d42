#include "shortfall/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <utility>

#include "checkpoint/sealed_file.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

constexpr SealedFormat checkpoint_format{
    .first_line = "shortfall checkpoint\n",
    .name = "checkpoint",
    .accepted = "a checkpoint written by shortfall, or a file that does not exist yet",
    .version = checkpoint_version};

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

ChangedOption::ChangedOption(std::string option, const std::string& value,
                             const std::string& before, const std::string& path)
    : InvalidInput(fmt::format("{} is {}, but the checkpoint {} was made with {}; accepted: the "
                               "options of the checkpoint, or another checkpoint file",
                               option, value, path, before)),
      option_(std::move(option)),
      rest_(std::string_view(what()).substr(option_.size())) {}

std::string ChangedOption::message(std::string_view name) const {
  return std::string(name) + rest_;
}

void write_checkpoint(const std::string& path, std::string_view bytes) {
  write_sealed(path, checkpoint_format, bytes);
}

std::optional<std::string> read_checkpoint(const std::string& path) {
  return read_sealed(path, checkpoint_format);
}

}  // namespace shortfall::io
