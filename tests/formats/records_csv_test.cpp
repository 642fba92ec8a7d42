#include "shortfall/formats/records_csv.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "tests/files_for_tests.hpp"

namespace shortfall::io {
namespace {

using inventory::DayRecord;
using inventory::iso_date;
using inventory::Records;

class RecordsCsvTest : public FileTest {
 protected:
  Records read(std::string_view text, const RecordsOptions& options = {}) const {
    return read_records_csv(file(text), options);
  }
  /// The dates of the file, joined.
  std::string dates(std::string_view text, DateOrder order = DateOrder::automatic) const {
    std::string result;
    for (const DayRecord& day : read(text, {.dates = order}).days)
      result += iso_date(day.date) + " ";
    return result;
  }
  void expect_refused(std::string_view text, std::initializer_list<std::string_view> parts,
                      const RecordsOptions& options = {}) const {
    SCOPED_TRACE(text);
    expect_rejected([&] { read(text, options); }, parts);
    expect_rejected([&] { read(text, options); }, {"in.csv", "; accepted: "});
  }
};

TEST_F(RecordsCsvTest, ReadsEveryColumnInAnyOrder) {
  const Records records = read(
      "wasted,received_2,received_1,ordered,Stockout,DEMAND,date\n"
      "1,5,2,7,0,6,2026-11-16\n"
      ",,,,1,9,2026-11-17\n"
      "0,3,,4,,8,2026-11-19\n");
  ASSERT_EQ(records.days.size(), 3U);
  EXPECT_TRUE(records.columns.stockout && records.columns.ordered && records.columns.wasted);
  EXPECT_EQ(records.columns.received, 2U);
  const DayRecord& first = records.days[0];
  EXPECT_EQ(iso_date(first.date), "2026-11-16");
  EXPECT_EQ(first.demand, 6U);
  EXPECT_FALSE(first.stockout);
  EXPECT_EQ(first.ordered, 7U);
  EXPECT_EQ(first.received, (std::vector<std::uint32_t>{2, 5}));
  EXPECT_EQ(first.received_units(), 7U);
  EXPECT_EQ(first.wasted, 1U);
  const DayRecord& unknown = records.days[1];
  EXPECT_TRUE(unknown.stockout);
  EXPECT_FALSE(unknown.ordered || unknown.wasted);
  EXPECT_TRUE(unknown.received.empty());
  EXPECT_EQ(records.days[2].received, (std::vector<std::uint32_t>{0, 3}))
      << "an empty field beside a given one is zero";
  EXPECT_EQ(delivery_mismatches(records), std::vector{records.days[2].date});
}

TEST_F(RecordsCsvTest, OnlyDateAndDemandAreNeeded) {
  const Records records = read("date,demand\n2026-11-16,0");
  EXPECT_EQ(records.days.size(), 1U);
  EXPECT_FALSE(records.columns.stockout || records.columns.ordered || records.columns.wasted);
  EXPECT_EQ(records.columns.received, 0U);
}

TEST_F(RecordsCsvTest, ReadsWhatSpreadsheetsWrite) {
  const Records plain = read("date,demand,stockout\n2026-11-16,12,0\n2026-11-17,3,1\n");
  for (const std::string_view same :
       {"\xEF\xBB\xBF"
        "date;demand;stockout\r\n16.11.2026;12,0;FALSE\r\n17.11.2026;3;TRUE\r\n",
        "sep=;\r\n\"Date\";\"Demand\";\"Stockout\"\r\n\"2026-11-16\";\"12\";\"0\"\r\n2026-11-17;3;"
        "1",
        "date\tdemand\tstockout\n11/16/2026\t12.00\t\n11/17/2026\t3\t1\n",
        "date,demand,stockout\n2026-11-16,12,No\n2026-11-17,3,yes\n",
        "date,demand,stockout,,\n2026-11-16 00:00:00,\"12,0\",0,,\n2026-11-17 "
        "00:00:00,3,1,,\n,,,,\n",
        "date;demand;stockout\n;;\n2026/11/16;12;0\n2026/11/17;3;1\n;;\n\n"}) {
    SCOPED_TRACE(same);
    const Records records = read(same);
    ASSERT_EQ(records.days.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(records.days[i].date, plain.days[i].date);
      EXPECT_EQ(records.days[i].demand, plain.days[i].demand);
      EXPECT_EQ(records.days[i].stockout, plain.days[i].stockout);
    }
  }
}

TEST_F(RecordsCsvTest, TheWholeFileTellsDayAndMonthApart) {
  EXPECT_EQ(dates("date,demand\n05/06/2026,1\n12/06/2026,1\n13/06/2026,1\n"),
            "2026-06-05 2026-06-12 2026-06-13 ");
  EXPECT_EQ(dates("date,demand\n06/05/2026,1\n06/12/2026,1\n6/13/2026,1\n"),
            "2026-06-05 2026-06-12 2026-06-13 ");
  const std::string_view unclear = "date,demand\n05/06/2026,1\n06/07/2026,1\n";
  EXPECT_EQ(dates(unclear, DateOrder::dmy), "2026-06-05 2026-07-06 ");
  EXPECT_EQ(dates(unclear, DateOrder::mdy), "2026-05-06 2026-06-07 ");
  expect_refused(unclear, {"line 2, column date", "\"05/06/2026\"", "dates = dmy", "dates = mdy"});
  expect_refused(unclear, {"line 2, column date", "such as 2026-11-16"}, {.dates = DateOrder::ymd});
  expect_refused(
      "date,demand\n13/06/2026,1\n06/14/2026,1\n",
      {"line 3, column date", "no such date, where line 2 has the day first",
       "accepted: a date such as 16.11.2026 or 2026-11-16, in a year from 1900 to 2199"});
  expect_refused("date,demand\n13/06/2026,1\n", {"line 2", "dates = mdy"},
                 {.dates = DateOrder::mdy});
}

TEST_F(RecordsCsvTest, RefusesDatesThatAreNone) {
  for (const std::string_view date :
       {"2026-02-30", "2025-02-29", "2026-13-01", "2026-00-10", "30.02.2026", "1899-12-31",
        "2200-01-01", "26-11-16", "2026-11", "16 Nov 2026", "2026-11-16 13:00", "46342", "",
        "2026-11.16", "20261-1-1"}) {
    expect_refused("date,demand\n2026-01-01,1\n" + std::string(date) + ",1\n",
                   {"line 3, column date", "a date such as"});
  }
  EXPECT_EQ(dates("date,demand\n2024-02-29,1\n"), "2024-02-29 ");
}

TEST_F(RecordsCsvTest, RowsAreInTheOrderOfTimeOrTheReverse) {
  const std::string increasing = "2026-11-16 2026-11-17 2026-11-20 ";
  EXPECT_EQ(dates("date,demand\n2026-11-16,1\n2026-11-17,1\n2026-11-20,1\n"), increasing);
  EXPECT_EQ(dates("date,demand\n2026-11-20,1\n2026-11-17,1\n2026-11-16,1\n"), increasing);
  expect_refused("date,demand\n2026-12-31,1\n2026-01-01,1\n2027-01-02,1\n",
                 {"line 3, column date", "2026-01-01 after 2026-12-31 on line 2", "oldest first"});
  expect_refused("date,demand\n2026-12-31,1\n2027-01-01,1\n2026-01-02,1\n",
                 {"line 4, column date", "2026-01-02 after 2027-01-01 on line 3"});
  expect_refused("date,demand\n2026-11-16,1\n2026-11-18,1\n2026-11-16,1\n",
                 {"line 4, column date", "2026-11-16 is on line 2 as well", "one row per day"});
}

TEST_F(RecordsCsvTest, RefusesUnitsThatAreNotWholeOrTooMany) {
  for (const std::string_view units : {"-1", "2.5", "\"2,5\"", "1.000", "1 000", "x", "1001", "1e3",
                                       "nan", "", "12.", "--", "=A1"}) {
    expect_refused("date,demand\n2026-11-16," + std::string(units) + "\n",
                   {"line 2, column demand", "an integer from 0 to 1000 "});
  }
  for (const std::string_view column : {"ordered", "wasted", "received_1"}) {
    expect_refused("date,demand," + std::string(column) + "\n2026-11-16,1,-2\n",
                   {"line 2, column " + std::string(column), "\"-2\"", "or empty"});
  }
  expect_refused("date,demand,stockout\n2026-11-16,1,2\n",
                 {"line 2, column stockout", "0 or no; 1 or yes"});
  EXPECT_EQ(read("date,demand\n2026-11-16,1000\n").days[0].demand, 1000U);
}

TEST_F(RecordsCsvTest, RefusesColumnsThatAreMissingMisspeltOrTwice) {
  expect_refused("date,demnad\n", {"line 1", "\"demnad\", did you mean demand?"});
  expect_refused("remarks,demnad,date\n", {"\"demnad\", did you mean demand?"});
  expect_refused("date,demand,recieved_1\n", {"did you mean received_1?"});
  expect_refused("date,demand,Received\n", {"\"Received\": units are received by days left;"});
  expect_refused("date,demand,Order\n", {"\"Order\", did you mean ordered?"});
  expect_refused("date,demand,stokout\n", {"did you mean stockout?"});
  expect_refused("date,weather\n", {"column demand is missing, the header has \"weather\";"});
  expect_refused("date,demand,received_0\n", {"unknown column \"received_0\""});
  EXPECT_EQ(read("date,demand,received by\n2026-11-16,1,x\n").columns.unused.size(), 1U);
  expect_refused("date,ordered\n", {"column demand is missing; accepted: date,demand"});
  expect_refused("demand\n", {"column date is missing"});
  expect_refused("date,date,demand\n", {"column date appears twice"});
  expect_refused("date,demand,received_1,received_3\n", {"column received_2 is missing"});
  expect_refused("date,demand,received_1\n", {"column received_2 is missing", "received_2, in any"},
                 {.shelf_life = 2});
  expect_refused("date,demand,received_1,received_2\n", {"received_2 is beyond the shelf life 1"},
                 {.shelf_life = 1});
  expect_refused("2026-11-16,4\n",
                 {"line 1", "column date is missing, the header has \"2026-11-16\", \"4\""});
  expect_refused(";;\n", {"column date is missing"});
  EXPECT_EQ(read("date,demand\n2026-11-16,1\n", {.shelf_life = 5}).columns.received, 0U);
}

TEST_F(RecordsCsvTest, DoesNotUseOtherColumns) {
  const Records records = read(
      "Ward,date,received_1,\"remarks; if any\",demand,,received by,Order ID\n"
      "7,2026-11-16,,\"\"\"late\"\", again\",4,x,y,z\n");
  EXPECT_EQ(records.days[0].demand, 4U);
  EXPECT_TRUE(records.days[0].received.empty());
  EXPECT_EQ(records.columns.received, 1U);
  EXPECT_EQ(
      inventory::columns_in_words(records.columns.unused),
      "\"Ward\", \"remarks; if any\", a column without a name, \"received by\", \"Order ID\"");
  expect_refused("date;demand;a;\033;a\n2026-11-16;4\n",
                 {"found 2 field(s)", "5: date;demand and 3 not used"});
}

TEST(ColumnsInWords, NamesTheFirstFiveThatDiffer) {
  EXPECT_EQ(inventory::columns_in_words({}), "");
  EXPECT_EQ(inventory::columns_in_words({"a", "b", "a", "c", "d", "", "e", "f"}),
            "\"a\", \"b\", \"c\", \"d\", a column without a name and 2 more");
}

TEST_F(RecordsCsvTest, ReadsHeadingsOfOtherLanguagesAndSaysSo) {
  const Records records = read(
      "Datum;Bedarf;Stock-out;Geliefert 2;geliefert_1\n16.11.2026;4;ja;1;2\n17.11.2026;3;nein;;\n");
  EXPECT_EQ(records.days[0].received, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_TRUE(records.days[0].stockout);
  EXPECT_FALSE(records.days[1].stockout);
  EXPECT_EQ(records.columns.mapped,
            (std::vector<std::string>{"\"Datum\" as date", "\"Bedarf\" as demand",
                                      "\"Stock-out\" as stockout", "\"Geliefert 2\" as received_2",
                                      "\"geliefert_1\" as received_1"}));
  EXPECT_EQ(read("Day,date,demand\nMon,2026-11-16,1\n").columns.unused,
            std::vector<std::string>{"Day"})
      << "there is a date";
  expect_refused("date,Bedarf,Nachfrage\n", {"\"Bedarf\" and \"Nachfrage\" may both be demand",
                                             "columns = {\"demand\": \"Bedarf\"}"});
}

TEST_F(RecordsCsvTest, HeadingsMayBeGiven) {
  const RecordsOptions options{.columns = parse_headings("demand=Abgang, date=Wann")};
  const Records records = read("WANN,Abgang,demand\n2026-11-16,7,9\n", options);
  EXPECT_EQ(records.days[0].demand, 7U);
  EXPECT_EQ(records.columns.unused, std::vector<std::string>{"demand"});
  EXPECT_TRUE(records.columns.mapped.empty());
  expect_refused("Wann,demand\n", {"there is no column \"Abgang\" for demand, the header has"},
                 options);
  expect_rejected([] { parse_headings("demnad=x"); }, {"\"demnad=x\"", "accepted: pairs"});
  expect_rejected([] { parse_headings("demand="); }, {"accepted: pairs"});
  expect_rejected([] { parse_headings("demand=a,demand=b"); }, {"demand is given twice"});
}

TEST_F(RecordsCsvTest, LeavesOutTitlesAndTotalsAndNamesThem) {
  const Records plain = read("date,demand\n2026-11-16,4\n2026-11-17,5\n");
  for (const std::string_view same :
       {"Ward 3,\nPrinted on 2026-12-01,\n\ndate,demand\n2026-11-16,4\n2026-11-17,5\n",
        "date,demand\n2026-11-16,4\n2026-11-17,5\nTotal,9\n",
        "date,demand\n2026-11-16,4\n2026-11-17,5\n,9\n",
        "date;demand\nNovember;\n16.11.26;4\n17.11.26;5\nSumme November:;9\n"}) {
    SCOPED_TRACE(same);
    const Records records = read(same);
    ASSERT_EQ(records.days.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(records.days[i].date, plain.days[i].date);
      EXPECT_EQ(records.days[i].demand, plain.days[i].demand);
    }
    EXPECT_FALSE(records.columns.skipped.empty());
  }
  EXPECT_EQ(read("A\n\ndate,demand\n2026-11-16,4\nTotal,4\n").columns.skipped,
            (std::vector<std::string>{"line 1", "line 5"}));
  expect_refused("date,demand\n2026-11-16,4\n2026-11-17,5\n,8\n", {"line 4, column date"});
}

TEST_F(RecordsCsvTest, ReadsYearsOfTwoDigits) {
  EXPECT_EQ(dates("date,demand\n16.11.26,1\n17.11.26,1\n"), "2026-11-16 2026-11-17 ");
  EXPECT_EQ(dates("date,demand\n11/30/98,1\n12/1/98,1\n"), "1998-11-30 1998-12-01 ");
  expect_refused("date,demand\n26-11-16,1\n26-11-17,1\n26-11-18,1\n",
                 {"line 2, column date", "most rows are months apart", "a year of four digits"});
  EXPECT_EQ(dates("date,demand\n05/06/26,1\n", DateOrder::dmy), "2026-06-05 ");
}

TEST_F(RecordsCsvTest, SaysAllProblemsInOneMessage) {
  expect_refused("date,demand,stockout\n2026-11-16,x,0\n2026-11-17,4,perhaps\n2026-02-30,4,0\n",
                 {"in.csv: 3 problems\n", "\n  line 2, column demand: found \"x\"; accepted: ",
                  "\n  line 3, column stockout: found \"perhaps\"; accepted: ",
                  "\n  line 4, column date: found \"2026-02-30\": no such date"});
  expect_refused("when,demnad\n",
                 {"2 problems", "column date is missing", "\"demnad\", did you mean demand?"});
  std::string many = "date,demand\n";
  for (int i = 0; i < 25; ++i) many += "2026-11-16,x\n";
  expect_refused(many, {"49 problems", "\n  and 29 more"});
}

TEST_F(RecordsCsvTest, ReadsYesAndNoInOtherWords) {
  for (const std::string_view yes : {"1", "x", "YES", "Ja", "j", "oui", "sí", "wahr", "True"}) {
    EXPECT_TRUE(
        read("date,demand,stockout\n2026-11-16,1," + std::string(yes) + "\n").days[0].stockout);
  }
  for (const std::string_view no : {"0", "", "-", "No", "Nein", "non", "FALSE", "falsch", "n"}) {
    EXPECT_FALSE(
        read("date,demand,stockout\n2026-11-16,1," + std::string(no) + "\n").days[0].stockout);
  }
}

TEST_F(RecordsCsvTest, RefusesRowsOfAnotherLengthAndFilesWithoutRows) {
  expect_refused("date;demand;ordered\n2026-11-16;1\n",
                 {"line 2", "found 2 field(s)", "3: date;demand;ordered"});
  expect_refused("date,demand\n2026-11-16,1,5\n", {"line 2", "found 3 field(s)"});
  expect_refused("date,demand\n", {"no row after the header"});
  expect_refused("date,demand\n2026-11-16,\"1\n", {"line 2", "a closing quote"});
}

TEST_F(RecordsCsvTest, AWindowKeepsTheLastDaysOfTheCalendar) {
  const Records records =
      read("date,demand\n2026-11-14,1\n2026-11-16,2\n2026-11-18,3\n2026-11-20,4\n");
  const auto kept = [&](const inventory::Window& window) {
    std::string result;
    for (const DayRecord& day : within(records, window).days) result += std::to_string(day.demand);
    return result;
  };
  EXPECT_EQ(kept({}), "1234");
  EXPECT_EQ(kept({.last = 1}), "4");
  EXPECT_EQ(kept({.last = 3}), "34") << "2026-11-18 to 2026-11-20";
  EXPECT_EQ(kept({.last = 4}), "34");
  EXPECT_EQ(kept({.last = 5}), "234");
  EXPECT_EQ(kept({.since = inventory::parse_iso_date("2026-11-16")}), "234");
  EXPECT_EQ(kept({.since = inventory::parse_iso_date("2026-11-17"), .last = 100}), "34");
  expect_rejected([&] { kept({.since = inventory::parse_iso_date("2026-11-21")}); },
                  {"no day is left", "2026-11-20"});
}

TEST(IsoDate, IsNothingUnlessItIsWrittenAsOne) {
  const auto date = inventory::parse_iso_date("2024-02-09");
  ASSERT_TRUE(date.has_value());
  EXPECT_EQ(inventory::iso_date(*date), "2024-02-09");
  for (const char* const text : {"2024-02-9", "2024-2-09", "2024/02/09", "2024-02-09 00:00",
                                 "09-02-2024", "2024-02-30", " 2024-02-09", ""}) {
    EXPECT_FALSE(inventory::parse_iso_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace shortfall::io
