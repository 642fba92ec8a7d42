#include "files/whole_file.hpp"

#include <sys/stat.h>

#include <string>

#include "shortfall/errors/error.hpp"
#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace whole_file_tests {

using ::testing::AllOf;
using ::testing::HasSubstr;

class WholeFile : public FileTest {
 protected:
  static std::string refusal(const std::string& path) {
    return failure_of<InvalidInput>([&] { whole_file(path, "first\n", "a seal"); });
  }
};

TEST_F(WholeFile, IsReadOnlyIfItBeginsAsExpected) {
  const std::string rest(300'000, 'x');
  const std::string good = file("first\n" + rest, "good");
  const std::string other = file("other\n" + rest, "other");
  const std::string brief = file("fir", "brief");
  EXPECT_EQ(whole_file(good, "first\n", ""), "first\n" + rest);
  EXPECT_EQ(whole_file(other, "first\n", ""), "other\n");
  EXPECT_EQ(whole_file(brief, "first\n", ""), "fir");
  EXPECT_EQ(whole_file(brief, "", ""), "fir");
}

TEST_F(WholeFile, IsARegularFileThatExists) {
  EXPECT_THAT(refusal(path("nowhere")),
              AllOf(HasSubstr("nowhere: there is no such file"), HasSubstr("accepted: a seal")));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(refusal(path("pipe")), HasSubstr("pipe: this is not a regular file"));
}

TEST_F(WholeFile, HasABeginning) {
  const std::string letters = file("abcdef");
  EXPECT_EQ(beginning_of(letters, 4), "abcd");
  EXPECT_EQ(beginning_of(letters, 10), "abcdef");
  EXPECT_EQ(beginning_of(path("nowhere"), 10), "");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(beginning_of(path("pipe"), 10), "") << "which would wait for a writer";
}

/// The memory of the process, whose first page is not mapped, is a regular file of which no byte
/// can be read there: EIO.
TEST_F(WholeFile, ThatCannotBeReadIsNotOneOfAnotherFormat) {
  EXPECT_THAT(failure_of<InvalidInput>([] { beginning_of("/proc/self/mem", 4); }),
              AllOf(HasSubstr("/proc/self/mem: Input/output error"), HasSubstr("accepted:")));
}

}  // namespace whole_file_tests
}  // namespace shortfall::io
