#include "apps/shortfall/new_directory.hpp"

#include <system_error>

#include "files/atomic_file.hpp"

namespace shortfall::app {

NewDirectory::NewDirectory(const std::string& path) {
  std::error_code ignored;
  for (std::filesystem::path place = path; !place.empty(); place = place.parent_path()) {
    if (std::filesystem::exists(place, ignored) || place == place.parent_path()) break;
    made_.push_back(place);
  }
  try {
    io::make_directory(path);
  } catch (const io::OutputError&) {
    remove_empty();
    throw;
  }
}

NewDirectory::~NewDirectory() {
  remove_empty();
}

void NewDirectory::remove_empty() const {
  std::error_code ignored;
  for (const std::filesystem::path& place : made_)
    std::filesystem::remove(place, ignored);  // fails if there are files
}

}  // namespace shortfall::app
