#include "files/file_uses.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <tuple>

#include "errors/require.hpp"
#include "files/path_names.hpp"

namespace shortfall::io {
namespace {

/// Device and inode of a file; of one that is not there yet, those of its directory, and its name.
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity_of(const FileUse& use) {
  struct stat status {};
  if (use.path.empty()) return std::nullopt;
  if (use.path == "-") {
    const int stream = use.kind == FileUse::Kind::read ? STDIN_FILENO : STDOUT_FILENO;
    if (::fstat(stream, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return Identity(status.st_dev, status.st_ino, "");
  }
  if (::stat(use.path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return std::nullopt;
    return Identity(status.st_dev, status.st_ino, "");
  }
  if (errno != ENOENT || use.kind == FileUse::Kind::read) return std::nullopt;
  const std::string target = link_target(use.path).value_or(use.path);
  if (::stat(directory_of(target).c_str(), &status) != 0) return std::nullopt;
  return Identity(status.st_dev, status.st_ino, name_of_file(target));
}

}  // namespace

void check_no_overwriting(const std::vector<FileUse>& uses) {
  using Kind = FileUse::Kind;
  std::map<Identity, const FileUse*> read;
  std::map<Identity, const FileUse*> written;
  for (const FileUse& use : uses) {
    if (const auto identity = identity_of(use)) {
      auto& same_kind = use.kind == Kind::read ? read : written;
      const auto [first, is_new] = same_kind.try_emplace(*identity, &use);
      require(is_new || use.kind == Kind::read, "{} and {} are the same file; accepted: two files",
              use.name, first->second->name);
    }
  }
  for (const auto& [identity, use] : written) {
    const auto found = read.find(identity);
    require(found == read.end(),
            "{} and {} are the same file, which would be overwritten; accepted: two files",
            use->name, found == read.end() ? "" : found->second->name);
  }
}

}  // namespace shortfall::io
