#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"

/// Paths as text. Not by std::filesystem::path: if memory runs out in its replace_filename(),
/// libstdc++ 12 destroys a list that it has not made yet.
/// Temporary names of files that are being written. The writing process holds a lock on the file,
/// which the system releases when the process ends. A temporary file without a lock was therefore
/// left behind by a killed process, and can be removed.
namespace shortfall::io {

/// The directory of a file, as a path that can be opened: `.` for a name alone.
std::string directory_of(std::string_view path);

/// The last name in a path: all behind the last slash.
std::string_view name_of_file(std::string_view path);

/// Another name in the same directory.
std::string sibling_of(std::string_view path, std::string_view name);

/// The path of an existing file without symbolic links; nothing, with errno set, on failure.
std::optional<std::string> real_path(const std::string& path);

/// Where a file that is not there yet would appear: the path, or if symbolic links stand there,
/// where they lead. Nothing, with errno set, if links lead in a circle.
std::optional<std::string> link_target(std::string path);

/// Creates and locks a file under an unused name in the directory of `final_name`, and stores that
/// name in `name`. Not open, with errno set, on failure.
FileDescriptor create_temporary(const std::string& final_name, mode_t mode, std::string& name);

/// Gives a temporary name in the directory of `final_name` to an open file without one. False with
/// errno set on failure.
bool link_temporary(int descriptor, const std::string& final_name, std::string& name);

/// Locks a file before it has a name. Does nothing on a file system without locks.
void lock_temporary(int descriptor);

/// Removes temporary files that killed processes left behind while writing `final_name`, but not
/// those of running processes.
void remove_leftovers(const std::string& final_name);

}  // namespace shortfall::io
