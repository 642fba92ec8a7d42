#include "files/open_input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "files/input_file.hpp"
#include "text/place.hpp"

namespace shortfall::io {

bool is_standard_input(std::string_view path) {
  return path == "-" || path == "/dev/stdin";
}

void reject_input(const std::string& name, int error, std::string_view accepted) {
  const std::string reason = error == ENOENT   ? "there is no such file"
                             : error == EISDIR ? "this is a directory"
                             : error == EBADF  ? "it is not open for reading"
                                               : std::generic_category().message(error);
  reject({.file = name}, reason, accepted);
}

FileDescriptor open_input(const std::string& path, std::string_view accepted) {
  const std::string name = input_name(path);
  // Standard input is read from its current position; opening it again would start at the
  // beginning.
  FileDescriptor file = is_standard_input(path)
                            ? FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                            : open_file(path.c_str(), O_RDONLY);
  if (!file.is_open()) reject_input(name, errno, accepted);
  if ((::fcntl(file.get(), F_GETFL) & O_ACCMODE) == O_WRONLY) reject_input(name, EBADF, accepted);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) reject_input(name, errno, accepted);
  if (S_ISDIR(status.st_mode)) reject_input(name, EISDIR, accepted);
  return file;
}

}  // namespace shortfall::io
