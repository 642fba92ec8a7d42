#include "shortfall/formats/model_csv.hpp"

#include <string>
#include <vector>

#include "files/atomic_file.hpp"
#include "tests/files_for_tests.hpp"
#include "text/csv.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

const std::string header = "idstatefrom,idaction,idstateto,probability,cost\n";

class ModelCsv : public FileTest {
 protected:
  TransitionTable table(const std::string& text) { return read_table_csv(file(text)).table; }
  Mdp model(const std::string& text) { return read_model_csv(file(text)).model; }

  /// Checks that the file with this text is refused, with its name and these parts in the message.
  void expect_refused(const std::string& text, std::initializer_list<std::string_view> parts) {
    const std::string name = file(text);
    const auto read = [&] { read_model_csv(name); };
    expect_rejected(read, {name});
    expect_rejected(read, parts);
  }
};

TEST_F(ModelCsv, IsReadRowByRow) {
  const TransitionTable t = table(header + "0,0,1,0.25,1.5\n0,0,0,0.75,-2e1\n0,1,1,1,0\n");
  EXPECT_THAT(t.from, ElementsAre(0u, 0u, 0u));
  EXPECT_THAT(t.action, ElementsAre(0, 0, 1));
  EXPECT_THAT(t.to, ElementsAre(1u, 0u, 1u));
  EXPECT_THAT(t.probability, ElementsAre(0.25, 0.75, 1.0));
  EXPECT_THAT(t.cost, ElementsAre(1.5, -20.0, 0.0));
  EXPECT_EQ(t.state_base, 0u);
  EXPECT_EQ(t.action_base, 0);
}

TEST_F(ModelCsv, HasItsColumnsInAnyOrder) {
  const TransitionTable t = table(
      "cost,idstateto,probability,idaction,idstatefrom\n"
      "7,3,0.5,1,2\n8,0,0.5,0,1\n");
  EXPECT_THAT(t.from, ElementsAre(2u, 1u));
  EXPECT_THAT(t.action, ElementsAre(1, 0));
  EXPECT_THAT(t.to, ElementsAre(3u, 0u));
  EXPECT_THAT(t.cost, ElementsAre(7.0, 8.0));
}

TEST_F(ModelCsv, TakesRewardsAsNegativeCosts) {
  const LoadedTable loaded = read_table_csv(
      file("idstatefrom,idaction,idstateto,probability,reward\n0,0,1,0.5,3\n0,0,1,0.5,0\n"));
  EXPECT_EQ(loaded.sense, Sense::reward);
  EXPECT_THAT(loaded.table.cost, ElementsAre(-3.0, 0.0));
  EXPECT_FALSE(std::signbit(loaded.table.cost[1]));
  EXPECT_EQ(read_table_csv(file(header + "0,0,1,1,3\n")).sense, Sense::cost);
}

TEST_F(ModelCsv, CountsIdsFromTheSmallestStateAndAction) {
  const TransitionTable both = table(header + "1,1,2,1,0\n2,2,1,1,0\n");
  EXPECT_EQ(both.state_base, 1u);
  EXPECT_EQ(both.action_base, 1);
  EXPECT_THAT(both.from, ElementsAre(0u, 1u));
  EXPECT_THAT(both.to, ElementsAre(1u, 0u));
  EXPECT_THAT(both.action, ElementsAre(0, 1));
  const TransitionTable states_from_0 = table(header + "1,1,0,1,0\n");
  EXPECT_EQ(states_from_0.state_base, 0u);
  EXPECT_EQ(states_from_0.action_base, 1);
  EXPECT_THAT(states_from_0.from, ElementsAre(1u));
}

TEST_F(ModelCsv, BecomesAModelWithItsBases) {
  const Mdp m = model(header + "1,1,2,1,5\n2,2,3,0.5,1\n2,2,3,0.5,2\n2,1,1,1,0\n");
  EXPECT_EQ(m.states(), 3u);
  EXPECT_EQ(m.state_base(), 1u);
  EXPECT_EQ(m.action_base(), 1);
  EXPECT_TRUE(m.is_terminal(2));
  EXPECT_EQ(m.law(*m.find_row(1, 1)).cost.size(), 2u);
}

TEST_F(ModelCsv, MayHaveAnyOfTheFormsOfCsv) {
  const TransitionTable plain = table(header + "0,0,1,0.5,1\n0,0,0,0.5,-2.5\n");
  const std::vector<std::string> forms = {
      header + "0,0,1,0.5,1\n0,0,0,0.5,-2.5",
      header + "0,0,1,0.5,1\n0,0,0,0.5,-2.5\n\n \t\r\n\n",
      "\xEF\xBB\xBF" + header + "0,0,1,0.5,1\n0,0,0,0.5,-2.5\n",
      "idstatefrom,idaction,idstateto,probability,cost\r\n0,0,1,0.5,1\r\n0,0,0,0.5,-2.5\r\n",
      header + " 0 ,0,\t1, +0.5,1.0 \n+0,0,0,5e-1,-25E-1\n",
      std::string(R"("idstatefrom","idaction", idstateto ,"probability","cost")") +
          "\n\"0\",0,\"1\",\"0.5\",1\n0,0,0,\" 0.5 \",\"-2.5\"\n",
      header + "00,0,000000000001,.5,1.\n0,0,0,0.50,-2.5\n"};
  for (const std::string& form : forms) {
    const TransitionTable t = table(form);
    EXPECT_EQ(t.from, plain.from) << form;
    EXPECT_EQ(t.action, plain.action) << form;
    EXPECT_EQ(t.to, plain.to) << form;
    EXPECT_EQ(t.probability, plain.probability) << form;
    EXPECT_EQ(t.cost, plain.cost) << form;
  }
}

TEST_F(ModelCsv, RefusesABadHeader) {
  const auto accepted =
      "idstatefrom,idaction,idstateto,probability and one of cost,reward, in any order";
  expect_refused("0,0,1,1,0\n", {"line 1", "unknown column \"0\"", accepted});
  expect_refused("idstatefrom,idaction,idstateto,prob,cost\n0,0,1,1,0\n",
                 {"line 1", "unknown column \"prob\"", accepted});
  expect_refused("idstatefrom,idaction,idstateto,cost\n0,0,1,0\n",
                 {"line 1", "column probability is missing", accepted});
  expect_refused("idstatefrom,idaction,idstateto,probability\n0,0,1,1\n",
                 {"line 1", "cost or reward is missing", accepted});
  expect_refused("idstatefrom,idaction,idstateto,probability,cost,reward\n0,0,1,1,0,0\n",
                 {"line 1", "both cost and reward", accepted});
  expect_refused("idstatefrom,idaction,idstateto,probability,cost,cost\n0,0,1,1,0,0\n",
                 {"line 1", "column cost appears twice", accepted});
  expect_refused("\n" + header + "0,0,1,1,0\n", {"line 1", "blank", accepted});
}

TEST_F(ModelCsv, RefusesAFileWithoutRows) {
  expect_refused(header, {"there is no row", "a header and one row or more"});
  expect_refused(header + "\n\n", {"there is no row"});
}

TEST_F(ModelCsv, RefusesTheWrongNumberOfFields) {
  const auto accepted = "accepted: 5: idstatefrom,idaction,idstateto,probability,cost";
  expect_refused(header + "0,0,1,1,0\n0,1,1,1\n", {"line 3", "found 4 field(s)", accepted});
  expect_refused(header + "0,0,1,1,0,9\n", {"line 2", "found 6 field(s)", accepted});
  expect_refused(header + "0,0,1,1,0,\n", {"line 2", "found 6 field(s)", accepted});
  expect_refused(header + "0;0;1;1;0\n", {"line 2", "found 1 field(s)", accepted});
}

TEST_F(ModelCsv, RefusesBlankLinesBetweenRows) {
  expect_refused(header + "0,0,1,1,0\n\n0,1,1,1,0\n", {"line 3", "blank"});
  expect_refused(header + "0,0,1,1,0\n \t\r\n0,1,1,1,0\n", {"line 3", "blank"});
}

TEST_F(ModelCsv, RefusesWhatIsNotANumber) {
  expect_refused(header + "0,0,1,1,0\n0,1,1,1,abc\n",
                 {"line 3", "column cost", "\"abc\"", "a finite number"});
  expect_refused(header + "0,0,1,x1,0\n", {"line 2", "column probability", "\"x1\""});
  expect_refused(header + "0,0,1,1,1.5x\n", {"line 2", "column cost", "\"1.5x\""});
  expect_refused(header + "0,0,1,1,\n", {"line 2", "column cost", "\"\""});
  expect_refused(header + "0,0,1,1,\"1,5\"\n", {"line 2", "column cost", "\"1,5\""});
  for (const std::string text : {"nan", "inf", "-inf", "1e999"}) {
    expect_refused(header + "0,0,1,1," + text + "\n",
                   {"line 2", "column cost", text, "a finite number"});
  }
}

TEST_F(ModelCsv, RefusesProbabilitiesOutsideTheUnitInterval) {
  for (const std::string text : {"-0.5", "1.5"}) {
    expect_refused(header + "0,0,1," + text + ",0\n",
                   {"line 2", "column probability", text, "a number in [0, 1]"});
  }
  expect_refused(header + "0,0,1,nan,0\n", {"line 2", "column probability", "a finite number"});
}

TEST_F(ModelCsv, RefusesIdsThatAreNegativeFractionalOrTooLarge) {
  for (const std::string text : {"-1", "0.5", "1e3", "4294967296", "99999999999999999999"}) {
    expect_refused(header + text + ",0,1,1,0\n",
                   {"line 2", "column idstatefrom", text, "an integer from 0 to 4294967295"});
    expect_refused(header + "0,0," + text + ",1,0\n", {"line 2", "column idstateto", text});
  }
  expect_refused(header + "0,2147483648,1,1,0\n",
                 {"line 2", "column idaction", "2147483648", "an integer from 0 to 2147483647"});
}

TEST_F(ModelCsv, TakesIdsUpToTheirLargest) {
  const TransitionTable t = table(header + "0,0,4294967295,1,0\n0,2147483647,1,1,0\n");
  EXPECT_EQ(t.to[0], 4294967295u);
  EXPECT_EQ(t.action[1], 2147483647);
}

TEST_F(ModelCsv, RefusesIdsThatStartBeyondOne) {
  expect_refused(header + "4,0,3,1,0\n2,0,3,1,0\n2,0,2,1,0\n",
                 {"line 3", "column idstatefrom", "the smallest id is 2", "start at 0 or at 1"});
  expect_refused(header + "4,0,2,1,0\n2,0,3,1,0\n", {"line 2", "column idstateto", "is 2"});
  expect_refused(header + "0,6,1,1,0\n1,5,1,1,0\n",
                 {"line 3", "column idaction", "the smallest id is 5", "start at 0 or at 1"});
}

TEST_F(ModelCsv, NamesTheLineOfAnInvalidModel) {
  expect_refused(header + "1,1,2,1,0\n2,1,1,0.5,0\n2,1,2,0.4,0\n",
                 {"line 3: state 2, action 1: probabilities sum to 0.9", "accepted: 1 within"});
  expect_refused(header + "0,0,1,1,0\n0,0,5,0,0\n",
                 {"line 3", "state ids are not consecutive", "5 appears"});
}

TEST_F(ModelCsv, RefusesNulBytesWithTheirLine) {
  std::string text = header;
  while (text.size() < 2 * longest_line) text += "0,0,1,1,0\n";
  const std::size_t line = 2 + (text.size() - header.size()) / std::string("0,0,1,1,0\n").size();
  text += std::string("0,0,\0,1,0\n", 10);
  expect_refused(text, {"line " + std::to_string(line) + ":", "NUL byte", "UTF-8"});
}

TEST_F(ModelCsv, RefusesALineThatIsTooLong) {
  const std::string blanks(longest_line, ' ');
  expect_refused(header + "0,0,1,1,0\n0,0,1,1," + blanks + "0\n",
                 {"line 3", "too long", "at most 65536 bytes"});
  expect_refused(header + "0,0,1,1,0." + std::string(longest_line, '0') + "\n",
                 {"line 2", "too long", "at most 65536 bytes"});
  expect_refused(std::string(longest_line + 1, 'i'), {"line 1", "too long"});
}

TEST_F(ModelCsv, RefusesAHugeLineWithoutReadingIt) {
  // 64 GB, of which only the beginning exists on disk: reading all of it would take minutes.
  const std::uintmax_t huge = std::uintmax_t{64} << 30;
  for (const std::string before : {"", "0,0,1,1,0\n"}) {
    const std::string name = file(header + before + std::string(4 << 20, '7'));
    std::filesystem::resize_file(name, huge);
    expect_rejected([&] { read_model_csv(name); },
                    {name, before.empty() ? "line 2" : "line 3", "too long"});
  }
  const std::string name = file(std::string(4 << 20, '7'));
  std::filesystem::resize_file(name, huge);
  expect_rejected([&] { read_model_csv(name); }, {name, "line 1", "too long"});
}

TEST_F(ModelCsv, IsWrittenWithItsBasesAndSense) {
  TransitionTable t;
  t.state_base = 1;
  t.add(0, 0, 1, Probability(0.1), -3.0);
  t.add(0, 0, 0, Probability(0.9), 1e-7);
  write_table_csv(path("out.csv"), t, Sense::cost);
  EXPECT_EQ(content(path("out.csv")), header + "1,0,2,0.1,-3\n1,0,1,0.9,1e-07\n");
  write_table_csv(path("out.csv"), t, Sense::reward);
  EXPECT_THAT(content(path("out.csv")),
              StartsWith("idstatefrom,idaction,idstateto,probability,reward\n1,0,2,0.1,3\n"));
}

TEST_F(ModelCsv, IsWrittenFromAModelInTheOrderOfStatesAndActions) {
  const Mdp m = model(header + "2,1,1,1,4\n1,2,2,1,3\n1,1,3,0.5,2\n1,1,1,0.5,1\n");
  write_model_csv(path("out.csv"), m, Sense::cost);
  EXPECT_EQ(content(path("out.csv")), header + "1,1,1,0.5,1\n1,1,3,0.5,2\n1,2,2,1,3\n2,1,1,1,4\n");
}

TEST_F(ModelCsv, NamesStatesThatNothingLeadsToWhenItIsWritten) {
  const Mdp m = model(header + "1,0,2,1,7\n1,0,0,0,0\n1,0,3,0,0\n");
  write_model_csv(path("out.csv"), m, Sense::cost);
  EXPECT_EQ(content(path("out.csv")), header + "1,0,2,1,7\n1,0,0,0,0\n1,0,3,0,0\n");
}

TEST_F(ModelCsv, IsNotLeftHalfWritten) {
  TransitionTable t;
  t.add(0, 0, 1, Probability(1.0), 0.0);
  EXPECT_THROW(write_table_csv("/dev/full", t, Sense::cost), OutputError);
  EXPECT_THROW(write_table_csv(path("none/out.csv"), t, Sense::cost), OutputError);
}

}  // namespace
}  // namespace shortfall::io
