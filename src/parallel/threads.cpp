#include "parallel/threads.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <mutex>

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

thread_local Arena* loops_run_in = nullptr;  // null: where this thread is

/// Sends the loops of this thread to an arena, as long as it exists.
class LoopsRunIn {
 public:
  explicit LoopsRunIn(Arena* arena) : before_(std::exchange(loops_run_in, arena)) {}
  ~LoopsRunIn() { loops_run_in = before_; }
  LoopsRunIn(const LoopsRunIn&) = delete;
  LoopsRunIn& operator=(const LoopsRunIn&) = delete;

 private:
  Arena* before_;
};

}  // namespace

/// The threads of oneTBB for some Workers. They are started by the first loop that can use them,
/// because that takes longer than solving a small model.
class Arena {
 public:
  explicit Arena(int threads) : threads_(threads) {}

  template <class Loop>
  void execute(const Loop& loop) {
    std::call_once(started_, [this] { arena_.initialize(at_most_cores(threads_)); });
    arena_.execute(loop);
  }

 private:
  int threads_;
  std::once_flag started_;
  tbb::task_arena arena_;
};

Workers::Workers(int threads) : arena_(std::make_unique<Arena>(threads)) {}
Workers::~Workers() = default;
Workers::Workers(Workers&&) noexcept = default;
Workers& Workers::operator=(Workers&&) noexcept = default;

void Workers::run(const std::function<void()>& work) {
  const LoopsRunIn workers(arena_.get());
  work();
}

void parallel_for(std::size_t count, const std::function<void(std::size_t k)>& body) {
  if (count == 0) return;
  if (count == 1) return body(0);
  const Task<std::size_t> task(body);
  const auto loop = [&] { tbb::parallel_for(std::size_t{0}, count, task); };
  if (Arena* const arena = loops_run_in; arena != nullptr) {
    const LoopsRunIn inside(nullptr);
    arena->execute(loop);
  } else {
    loop();
  }
}

void parallel_invoke(std::initializer_list<std::function<void()>> tasks) {
  parallel_for(tasks.size(), [&](std::size_t k) { tasks.begin()[k](); });
}

}  // namespace shortfall::detail
