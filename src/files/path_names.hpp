#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Paths as text. Not by std::filesystem::path: if memory runs out in its replace_filename(),
/// libstdc++ 12 destroys a list that it has not made yet.
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
/// where they lead.
std::string link_target(std::string path);

}  // namespace shortfall::io
