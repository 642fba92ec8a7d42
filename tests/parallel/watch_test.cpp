#include "parallel/watch.hpp"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace shortfall::detail {
namespace {

using namespace std::chrono_literals;

/// The first step is still being reported when another thread completes the last one. The wait has
/// a limit because the other thread has to wait as well; whoever is first, the last step counts.
TEST(Watch, ReportsTheLastStepEvenIfAnotherThreadIsReporting) {
  std::promise<void> reporting;
  std::promise<void> completed;
  std::uint64_t reported = 0;
  Watch watch(
      [&, is_first = true](const Progress& progress) mutable {
        reported = progress.done;
        if (!is_first) return Request::stop;
        is_first = false;
        reporting.set_value();
        completed.get_future().wait_for(50ms);
        return Request::proceed;
      },
      {.activity = "counting", .total = 2});
  std::thread first([&] { watch.add_steps(1); });
  reporting.get_future().wait();
  watch.add_steps(1);
  completed.set_value();
  first.join();
  EXPECT_EQ(reported, 2U);
  EXPECT_TRUE(watch.is_stopped());
}

}  // namespace
}  // namespace shortfall::detail
