#include "shortfall/formats/features_csv.hpp"

#include <string>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;

class FeaturesCsv : public FileTest {
 protected:
  void expect_refused(const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::string name = file(text);
    expect_rejected([&] { (void)read_features_csv(name); }, {name});
    expect_rejected([&] { (void)read_features_csv(name); }, parts);
  }
};

TEST_F(FeaturesCsv, HasOneRowPerState) {
  for (const std::string text :
       {"x1,x2\n1,-2\n3e2,0\n", "\xEF\xBB\xBFx1, x2\r\n1,-2\r\n\"300\",0\n\n"}) {
    const FeatureRows rows = read_features_csv(file(text));
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_THAT(rows.row(0), ElementsAre(1.0, -2.0));
    EXPECT_THAT(rows.row(1), ElementsAre(300.0, 0.0));
  }
}

TEST_F(FeaturesCsv, IsRefusedWithThePlace) {
  expect_refused("x2,x1\n1,2\n", {"line 1", "column 1 is 'x2'", "x1,..,xd"});
  expect_refused("1,2\n", {"line 1", "column 1 is '1'"});
  expect_refused("x1,x2\n1,2\n3\n", {"line 3", "found 1 fields", "accepted: 2"});
  expect_refused("x1,x2\n1,two\n", {"line 2", "column x2", "two", "a finite number"});
  expect_refused("x1\nnan\n", {"line 2", "column x1", "a finite number"});
  expect_refused("x1\n\n", {"no row after the header"});
}

}  // namespace
}  // namespace shortfall::io
