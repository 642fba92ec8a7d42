#include "files/path_names.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace path_names_tests {

TEST(PathNames, AreThoseOfTheShell) {
  for (const auto& [path, directory, name] :
       {std::tuple("file", ".", "file"), std::tuple("a/file", "a", "file"),
        std::tuple("/file", "/", "file"), std::tuple("/a/b/file", "/a/b", "file"),
        std::tuple("a/", "a", ""), std::tuple("", ".", "")}) {
    EXPECT_EQ(directory_of(path), directory) << path;
    EXPECT_EQ(name_of_file(path), name) << path;
  }
  EXPECT_EQ(sibling_of("file", "x"), "x");
  EXPECT_EQ(sibling_of("/file", "x"), "/x");
  EXPECT_EQ(sibling_of("/a/file", "x"), "/a/x");
}

class RealPath : public FileTest {};

TEST_F(RealPath, HasNoLinks) {
  const std::string whole = file("text", "whole");
  ASSERT_EQ(::symlink("whole", path("link").c_str()), 0);
  EXPECT_EQ(real_path(path("link")), real_path(whole));
  EXPECT_EQ(real_path(path("nowhere")), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace path_names_tests
}  // namespace shortfall::io
