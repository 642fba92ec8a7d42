#include "files/path_names.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <new>

namespace shortfall::io {
namespace {

/// The part up to the last slash, which it contains.
std::string_view folder_part(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);  // 0 characters if there is none
}

}  // namespace

std::string directory_of(std::string_view path) {
  std::string_view folder = folder_part(path);
  if (folder.empty()) return ".";
  if (folder.size() > 1) folder.remove_suffix(1);
  return std::string(folder);
}

std::string_view name_of_file(std::string_view path) {
  return path.substr(folder_part(path).size());
}

std::string sibling_of(std::string_view path, std::string_view name) {
  return std::string(folder_part(path)).append(name);
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr),
                                                          &std::free);
  if (!found && errno == ENOMEM) throw std::bad_alloc();
  if (!found) return std::nullopt;
  return std::string(found.get());
}

std::string link_target(std::string path) {
  constexpr int most_links = 40;  // as many as the system follows
  for (int k = 0; k < most_links; ++k) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    if (size <= 0) break;
    const std::string_view found(target.data(), static_cast<std::size_t>(size));
    path = found.starts_with('/') ? std::string(found) : sibling_of(path, found);
  }
  return path;
}

}  // namespace shortfall::io
