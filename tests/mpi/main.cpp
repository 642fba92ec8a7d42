// The tests of one rank. All ranks print what fails, and the first one what passes.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "mpi/session.hpp"

int main(int argc, char** argv) {
  shortfall::mpi::Session session(argc, argv);
  GTEST_FLAG_SET(brief, session.communicator().rank() > 0);
  ::testing::InitGoogleTest(&argc, argv);
  const int failed = RUN_ALL_TESTS();
  return session.end({.exit_code = failed}, [](const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
  });
}
