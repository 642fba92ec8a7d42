#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shortfall::app {

/// A directory for results. It is made before the work with its parents, so that it fails then if
/// it cannot be. At the end, those that are new and empty are removed again.
class NewDirectory {
 public:
  /// Throws OutputError, and then leaves nothing behind.
  explicit NewDirectory(const std::string& path);
  ~NewDirectory();
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;

 private:
  void remove_empty() const;

  std::vector<std::filesystem::path> made_;  ///< those that were missing, the innermost first
};

}  // namespace shortfall::app
