#include "shortfall/formats/names_csv.hpp"

#include <string>

#include "tests/files_for_tests.hpp"

namespace shortfall::io::names {
namespace {

using ::testing::ElementsAre;

class NamesCsv : public FileTest {
 protected:
  void expect_refused(const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::string name = file(text);
    expect_rejected([&] { (void)read_names_csv(name, three); }, {name});
    expect_rejected([&] { (void)read_names_csv(name, three); }, parts);
  }
  const NamedIds three{.what = "state", .base = 1, .count = 3};
};

TEST_F(NamesCsv, NamesEachIdOnce) {
  for (const std::string text : {"id,name\n3,full\n1,\"empty, or nearly\"\n2,half\n",
                                 "name,id\r\nhalf,2\r\n full ,3\r\n\"empty, or nearly\",1\r\n\n"}) {
    EXPECT_THAT(read_names_csv(file(text), three), ElementsAre("empty, or nearly", "half", "full"));
  }
}

TEST_F(NamesCsv, LeavesIdsWithoutAName) {
  EXPECT_THAT(read_names_csv(file("id,name\n2,half\n"), three), ElementsAre("1", "half", "3"));
  EXPECT_THAT(read_names_csv(file("id,name\n"), three), ElementsAre("1", "2", "3"));
  // An id may be the name of another that has a name of its own.
  EXPECT_THAT(read_names_csv(file("id,name\n1,2\n2,1\n"), three), ElementsAre("2", "1", "3"));
}

TEST_F(NamesCsv, IsRefusedWithThePlace) {
  expect_refused("id,name\n1,a\n2,b\n3,a\n", {"line 4", "column name", "'a'", "line 2"});
  expect_refused("id,name\n1,a\n1,b\n", {"line 3", "column id", "state 1", "line 2"});
  expect_refused("id,name\n1,3\n", {"line 2", "column name", "'3' is the id", "different name"});
  expect_refused("id,name\n0,a\n", {"line 2", "column id", "found 0", "1 to 3"});
  expect_refused("id,name\n4,a\n", {"line 2", "column id", "found 4", "1 to 3"});
  expect_refused("id,name\n1,\n", {"line 2", "column name", "empty"});
  expect_refused("id,name\n1,a,b\n", {"line 2", "3 field", "in quotes"});
  expect_refused("id,name\none,a\n", {"line 2", "column id", "one"});
  expect_refused("idstate,name\n1,a\n", {"line 1", "idstate", "id,name"});
}

}  // namespace
}  // namespace shortfall::io::names
