#include "text/problems.hpp"

#include <fmt/format.h>

namespace shortfall::io {
namespace {

constexpr std::size_t most_listed = 20;

}  // namespace

void Problems::add(const std::string& message) {
  if (++count_ <= most_listed) first_.push_back(message);
}

void Problems::throw_if_any() const {
  if (count_ == 0) return;
  if (count_ == 1) throw InvalidInput(first_.front());
  std::string text = fmt::format("{}: {} problems", file_, count_);
  const std::string in_file = fmt::format("{}, ", file_);
  for (const std::string& message : first_) {
    const bool names_file = message.starts_with(in_file);
    text += fmt::format("\n  {}", names_file ? message.substr(in_file.size()) : message);
  }
  if (count_ > most_listed) text += fmt::format("\n  and {} more", count_ - most_listed);
  throw InvalidInput(text);
}

}  // namespace shortfall::io
