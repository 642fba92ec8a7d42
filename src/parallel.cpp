#include "parallel.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#ifdef SHORTFALL_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace shortfall::detail {
namespace {

/// A function that oneTBB calls on its threads. The thread sanitizer does not see how these wait
/// for each other, because Debian compiles oneTBB without it, so it is told what oneTBB guarantees:
/// calls begin after this object was made and end before it is gone.
template <class... Arguments>
class Task {
 public:
  using Function = std::function<void(Arguments...)>;

#ifdef SHORTFALL_THREAD_SANITIZER
  explicit Task(const Function& function) : function_(function) {
    __tsan_release(&begin_);
  }
  ~Task() {
    __tsan_acquire(&end_);
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  void operator()(Arguments... arguments) const {
    __tsan_acquire(&begin_);
    const struct AtEnd {
      char* end;
      ~AtEnd() { __tsan_release(end); }
    } at_end{&end_};
    function_(arguments...);
  }

 private:
  mutable char begin_ = 0;
  mutable char end_ = 0;
#else
  explicit Task(const Function& function) : function_(function) {}
  void operator()(Arguments... arguments) const {
    function_(arguments...);
  }

 private:
#endif
  const Function& function_;
};

/// oneTBB would print a warning about more threads than cores.
int at_most_cores(int threads) {
  const int cores = tbb::info::default_concurrency();
  return threads > 0 ? std::min(threads, cores) : cores;
}

}  // namespace

class Workers::Arena : public tbb::task_arena {
  using task_arena::task_arena;
};

Workers::Workers(int threads) : arena_(std::make_unique<Arena>(at_most_cores(threads))) {}
Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

void Workers::run(const std::function<void()>& work) {
  arena_->execute(Task<>(work));
}

void parallel_for(std::size_t count, const std::function<void(std::size_t k)>& body) {
  tbb::parallel_for(std::size_t{0}, count, Task<std::size_t>(body));
}

void parallel_invoke(std::initializer_list<std::function<void()>> tasks) {
  parallel_for(tasks.size(), [&](std::size_t k) { tasks.begin()[k](); });
}

}  // namespace shortfall::detail
