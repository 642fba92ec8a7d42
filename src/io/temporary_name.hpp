#pragma once

#include <filesystem>

#include "io/file_descriptor.hpp"

/// Names of files that are not complete yet. Who has one holds a lock on the file, which goes with
/// the process: a name whose file is not locked was left behind by a process that was killed.
namespace shortfall::io {

/// Creates a file under a name beside `final_name` that is not taken, locked; `name` is that. Not
/// open, with errno set, where that is not possible.
FileDescriptor create_temporary(const std::filesystem::path& final_name, mode_t mode,
                                std::filesystem::path& name);

/// Gives the open file, which has no name, one beside `final_name`. False with errno set.
bool link_temporary(int descriptor, const std::filesystem::path& final_name,
                    std::filesystem::path& name);

/// Locks a file before it has a name; a file system without locks does without.
void lock_temporary(int descriptor);

/// Removes what killed processes left behind when they wrote `final_name`, and nothing of those
/// that are at it now.
void remove_leftovers(const std::filesystem::path& final_name);

}  // namespace shortfall::io
