#include "shortfall/formats/transition_stream.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "tests/files_for_tests.hpp"
#include "tests/formats/transitions_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class TransitionStreamTest : public FileTest {};

TEST_F(TransitionStreamTest, ReadsCsvInItsCanonicalOrder) {
  EXPECT_THAT(rows_of(file("x1,x2,y1,y2,cost\n1,2,3,4,5\n-0.5,1e3,0,-0,2.5e-3\n")),
              ElementsAre("1 2 | 3 4 | 5", "-0.5 1000 | 0 -0 | 0.0025"));
}

TEST_F(TransitionStreamTest, ReadsColumnsInAnyOrder) {
  EXPECT_THAT(rows_of(file("cost,y2,x1,y1,x2\n5,4,1,3,2\n")), ElementsAre("1 2 | 3 4 | 5"));
  EXPECT_THAT(rows_of(file("terminal,y1,cost,x1\n0,3,5,1\n1,3,6,1\n")),
              ElementsAre("1 | 3 | 5", "1 | 0 | 6 terminal"));
  EXPECT_THAT(rows_of(file("x1,cost,terminal,y1\n1,5,false,3\n1,6,true,\n")),
              ElementsAre("1 | 3 | 5", "1 | 0 | 6 terminal"));
}

TEST_F(TransitionStreamTest, AcceptsFourSpellingsOfTerminal) {
  EXPECT_THAT(
      rows_of(file("x1,y1,cost,terminal\n1,2,3,0\n1,2,3,1\n1,2,3,false\n1,2,3,true\n 1,2,3, 1 \n")),
      ElementsAre("1 | 2 | 3", "1 | 0 | 3 terminal", "1 | 2 | 3", "1 | 0 | 3 terminal",
                  "1 | 0 | 3 terminal"));
}

TEST_F(TransitionStreamTest, HasZerosForTheFeaturesAfterATerminalRow) {
  EXPECT_THAT(rows_of(file("x1,x2,y1,y2,cost,terminal\n1,2,3,4,5,0\n1,2,,,5,1\n1,2,,4,5,1\n"
                           "1,2,3,4,5,1\n1,2,3,4,5,0\n")),
              ElementsAre("1 2 | 3 4 | 5", "1 2 | 0 0 | 5 terminal", "1 2 | 0 0 | 5 terminal",
                          "1 2 | 0 0 | 5 terminal", "1 2 | 3 4 | 5"));
}

TEST_F(TransitionStreamTest, ReadsCsvFromPeopleAndSpreadsheets) {
  const Rows rows = {"1 | 2 | 3", "4 | 5 | 6"};
  EXPECT_EQ(rows_of(file("x1,y1,cost\r\n1,2,3\r\n4,5,6\r\n")), rows);
  EXPECT_EQ(rows_of(file("\xEF\xBB\xBFx1,y1,cost\n1,2,3\n4,5,6")), rows);
  EXPECT_EQ(rows_of(file("\"x1\", \"y1\" ,cost\n \"1\",+2 ,\t3\n4,5,6\n\n \t\r\n\n")), rows);
}

TEST_F(TransitionStreamTest, GivesNoRowsForAHeaderAlone) {
  for (const auto text : {"x1,y1,cost", "x1,y1,cost\n", "x1,y1,cost\r\n\r\n"}) {
    TransitionStream in(file(text));
    EXPECT_EQ(in.dimension(), 0u);
    EXPECT_THAT(rows_of(in), IsEmpty());
    EXPECT_EQ(in.dimension(), 1u);
    EXPECT_EQ(in.rows(), 0u);
  }
}

TEST_F(TransitionStreamTest, ReadsNdjsonWithKeysInAnyOrder) {
  TransitionStream in(file(R"({"x":[1,2],"y":[3,4],"cost":5}
 { "cost" : -0.5e1, "terminal" : false, "y" : [ 3 , 4.25 ] , "x" : [1e2, -0] }
{"\u0078":[1,2],"y":[3,4],"cost":5,"terminal":0}

)"));
  EXPECT_THAT(rows_of(in), ElementsAre("1 2 | 3 4 | 5", "100 -0 | 3 4.25 | -5", "1 2 | 3 4 | 5"));
  EXPECT_EQ(in.dimension(), 2u);
  EXPECT_EQ(in.rows(), 3u);
}

TEST_F(TransitionStreamTest, CountsTheFeaturesOfAFirstLineWithEscapedKeys) {
  for (const auto* const text : {R"({"\u0078":[1,2],"y":[3,4],"cost":5})",
                                 R"({"c\u006fst":5,"\u0079":[3,4],"\u0078":[1,2]})",
                                 R"({"y":[3,4],"cost":5,"\u0078":[1,2]})"}) {
    TransitionStream in(file(std::string(text) + "\n{\"x\":[1,2],\"y\":[3,4],\"cost\":6}\n"));
    EXPECT_THAT(rows_of(in), ElementsAre("1 2 | 3 4 | 5", "1 2 | 3 4 | 6"));
    EXPECT_EQ(in.dimension(), 2u);
  }
}

TEST_F(TransitionStreamTest, ReadsTerminalRowsOfNdjsonInEveryForm) {
  EXPECT_THAT(rows_of(file("\xEF\xBB\xBF"
                           R"({"x":[1],"cost":5,"terminal":true}
{"x":[1],"y":[2],"cost":5,"terminal":false}
{"x":[1],"y":[],"cost":5,"terminal":1}
{"terminal":true,"x":[1],"y":null,"cost":5}
{"x":[1],"y":[2],"cost":5,"terminal":true}
{"x":[1],"y":[2],"cost":5})")),
              ElementsAre("1 | 0 | 5 terminal", "1 | 2 | 5", "1 | 0 | 5 terminal",
                          "1 | 0 | 5 terminal", "1 | 0 | 5 terminal", "1 | 2 | 5"));
}

TEST_F(TransitionStreamTest, ReadsNdjsonWithCarriageReturns) {
  EXPECT_THAT(rows_of(file("{\"x\":[1],\"y\":[2],\"cost\":3}\r\n\r\n")), ElementsAre("1 | 2 | 3"));
}

TEST_F(TransitionStreamTest, SkipsAndCountsBadRowsOnRequest) {
  TransitionStream csv(file("x1,y1,cost\n1,2,3\nabc\n1,nan,3\n\n\n4,5,6\n1,2\n7,8,9\n1,2,x"),
                       BadRow::skip);
  EXPECT_THAT(rows_of(csv), ElementsAre("1 | 2 | 3", "4 | 5 | 6", "7 | 8 | 9"));
  EXPECT_EQ(csv.skipped_rows(), 6u);           // abc, nan, two blank lines, 1,2 and the last
  EXPECT_EQ(csv.position().skipped_rows, 5u);  // before the last row
  EXPECT_EQ(csv.position().lines, 9u);

  TransitionStream json(file("{\"x\":[1\n{\"x\":[1],\"y\":[2],\"cost\":3}\n{\"x\":[1,2],\"y\":[2,"
                             "3],\"cost\":3}\n4\n{\"x\":[4],\"y\":[5],\"cost\":6}\n"),
                        BadRow::skip);
  EXPECT_THAT(rows_of(json), ElementsAre("1 | 2 | 3", "4 | 5 | 6"));
  EXPECT_EQ(json.skipped_rows(), 3u);
}

TEST_F(TransitionStreamTest, SkipsALineThatIsTooLongWithoutKeepingIt) {
  const std::string monster(3 * longest_transition_line, '7');
  TransitionStream in(file("x1,y1,cost\n" + monster + "\n1,2,3\n" + monster), BadRow::skip);
  EXPECT_THAT(rows_of(in), ElementsAre("1 | 2 | 3"));
  EXPECT_EQ(in.skipped_rows(), 2u);
  EXPECT_EQ(in.position().bytes, 11 + monster.size() + 1 + 6);
  EXPECT_LE(in.buffer_bytes(), longest_transition_line + longest_transition_line / 8);
}

TEST_F(TransitionStreamTest, TakesTheLongestLineAndNoByteMore) {
  std::string row = "1,2,3";
  row.append(longest_transition_line - row.size(), ' ');
  EXPECT_THAT(rows_of(file("x1,y1,cost\n" + row + "\n" + row)),
              ElementsAre("1 | 2 | 3", "1 | 2 | 3"));
  for (const auto end : {"", "\n", "\n1,2,3\n"}) {
    EXPECT_EQ(
        failure_of<InvalidInput>([&] { rows_of(file("x1,y1,cost\n1,2,3\n" + row + " " + end)); }),
        path("in.csv") +
            ", line 3: the line is too long; accepted: at most 1048576 bytes per line");
  }
}

TEST_F(TransitionStreamTest, ReadsFiveHundredFeatures) {
  std::string header;
  std::string row;
  for (const char letter : {'x', 'y'}) {
    for (int k = 1; k <= 500; ++k) {
      header += fmt::format("{}{},", letter, k);
      row += fmt::format("{}{}.125,", letter == 'y' ? "-" : "", k);
    }
  }
  TransitionStream in(file(header + "cost\n" + row + "7\n"));
  ASSERT_EQ(in.next(), Next::starved);
  ASSERT_TRUE(in.fill());
  ASSERT_EQ(in.next(), Next::row);
  EXPECT_EQ(in.dimension(), 500u);
  EXPECT_EQ(in.transition().phi[499], 500.125);
  EXPECT_EQ(in.transition().phi_next[0], -1.125);
  EXPECT_EQ(in.transition().cost, 7.0);
}

TEST_F(TransitionStreamTest, DeliversARowOfAPipeBeforeTheNextByteArrives) {
  for (const std::string begin : {"x1,y1,cost\n", ""}) {
    const std::string row = begin.empty() ? "{\"x\":[1],\"y\":[2],\"cost\":3}\n" : "1,2,3\n";
    Pipe pipe;
    TransitionStream in(pipe.path());
    EXPECT_FALSE(in.is_regular_file());
    EXPECT_EQ(in.next(), Next::starved);
    pipe.write(begin + row + row.substr(0, 3));
    ASSERT_TRUE(in.fill());
    EXPECT_EQ(in.next(), Next::row);
    EXPECT_EQ(in.next(), Next::starved);
    pollfd ready{.fd = in.descriptor(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&ready, 1, 0), 0);
    pipe.write(row.substr(3));
    EXPECT_EQ(::poll(&ready, 1, 0), 1);
    ASSERT_TRUE(in.fill());
    EXPECT_EQ(in.next(), Next::row);
    pipe.close();
    EXPECT_FALSE(in.fill());
    EXPECT_EQ(in.next(), Next::end);
    EXPECT_EQ(in.next(), Next::end);
  }
}

TEST_F(TransitionStreamTest, ReturnsFromTheWaitForAPipeWhenASignalArrives) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};  // without SA_RESTART, so that read() returns
  ::sigaction(SIGUSR1, &action, &before);
  Pipe pipe;
  TransitionStream in(pipe.path());
  const pthread_t reader = ::pthread_self();
  std::jthread sender([reader](const std::stop_token& stop) {
    while (!stop.stop_requested()) {  // until the wait has begun
      ::pthread_kill(reader, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_TRUE(in.fill());
  sender.request_stop();
  sender.join();
  EXPECT_EQ(in.next(), Next::starved);
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(TransitionStreamTest, KeepsReadingANonblockingPipeThatIsStillEmpty) {
  Pipe pipe;
  TransitionStream in(pipe.path());
  ::fcntl(in.descriptor(), F_SETFL, O_NONBLOCK);
  EXPECT_TRUE(in.fill());
  pipe.write("x1,y1,cost\n1,2,3\n");
  EXPECT_TRUE(in.fill());
  EXPECT_EQ(in.next(), Next::row);
}

TEST_F(TransitionStreamTest, KeepsItsBufferOverALongStream) {
  ::mkfifo(path("pipe").c_str(), 0600);
  constexpr int blocks = 300;
  std::string block;
  while (block.size() < 60000) block += "0.125,-3.5,1.0e-3,0\n";
  std::jthread writer([&] {
    const int out = ::open(path("pipe").c_str(), O_WRONLY);
    ASSERT_EQ(::write(out, "x1,y1,cost,terminal\n", 20), 20);
    for (int i = 0; i < blocks; ++i) {
      ASSERT_EQ(::write(out, block.data(), block.size()), static_cast<ssize_t>(block.size()));
    }
    ::close(out);
  });
  TransitionStream in(path("pipe"));
  const std::size_t buffer = in.buffer_bytes();
  std::uint64_t rows = 0;
  for (Next next = in.next(); next != Next::end; next = in.next()) {
    if (next == Next::starved) in.fill();
    if (next == Next::row && in.transition().cost == 0.001) ++rows;
  }
  EXPECT_EQ(rows, blocks * block.size() / 20);
  EXPECT_EQ(in.buffer_bytes(), buffer);
  EXPECT_EQ(buffer, std::size_t{256} << 10);
}

TEST_F(TransitionStreamTest, DoesNotGrowItsBufferForRowsThatWait) {
  std::string text = "x1,y1,cost\n";
  while (text.size() < (std::size_t{600} << 10)) text += "1,2,3\n";
  TransitionStream in(file(text));
  const std::size_t buffer = in.buffer_bytes();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(in.fill());
  EXPECT_EQ(in.buffer_bytes(), buffer);
  EXPECT_EQ(rows_of(in).size(), (text.size() - 11) / 6);
}

TEST_F(TransitionStreamTest, ReadsStandardInputFromItsPosition) {
  const int before = ::dup(STDIN_FILENO);
  const int in = ::open(file("skip\nx1,y1,cost\n1,2,3\n").c_str(), O_RDONLY);
  ::lseek(in, 5, SEEK_SET);
  ::dup2(in, STDIN_FILENO);
  TransitionStream stream("-");
  EXPECT_TRUE(stream.is_regular_file());
  EXPECT_EQ(stream.name(), "standard input");
  EXPECT_THAT(rows_of(stream), ElementsAre("1 | 2 | 3"));
  EXPECT_EQ(stream.position().bytes, 22u);
  ::close(in);
  ::dup2(before, STDIN_FILENO);
  ::close(before);
}

TEST_F(TransitionStreamTest, CanBeMoved) {
  TransitionStream first(file("x1,y1,cost\n1,2,3\n4,5,6\n"));
  Rows rows;
  first.fill();
  ASSERT_EQ(first.next(), Next::row);
  TransitionStream second(std::move(first));
  EXPECT_EQ(text_of(second.transition()), "1 | 2 | 3");
  EXPECT_THAT(rows_of(second), ElementsAre("4 | 5 | 6"));
}

}  // namespace
}  // namespace shortfall::io
