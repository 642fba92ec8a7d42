#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

/// Loops on several threads. What they compute does not depend on how many there are: a loop is cut
/// into blocks of fixed size, and results of blocks are merged in order.
namespace shortfall::detail {

class Arena;

/// The threads that a computation may use: loops called within run() use these, others all cores.
class Workers {
 public:
  /// At most `threads`, and never more than there are cores; 0: all cores.
  explicit Workers(int threads);
  ~Workers();
  Workers(Workers&&) noexcept;
  Workers& operator=(Workers&&) noexcept;

  void run(const std::function<void()>& work);  ///< on the calling thread, except for its loops

 private:
  std::unique_ptr<Arena> arena_;
};

/// Calls body(k) for each k < count, in any order. The first exception stops the loop and is
/// rethrown. A single call needs no thread, and starts none.
void parallel_for(std::size_t count, const std::function<void(std::size_t k)>& body);

/// Calls all tasks, in any order.
void parallel_invoke(std::initializer_list<std::function<void()>> tasks);

/// Calls body(first, last) for consecutive ranges [first, last) that cover [0, count): `block`
/// elements each, the last one fewer.
template <class Body>
void parallel_for_blocks(std::size_t count, std::size_t block, const Body& body) {
  parallel_for((count + block - 1) / block,
               [&](std::size_t k) { body(k * block, std::min(count, (k + 1) * block)); });
}

/// The results of body(first, last) for the same ranges, merged in order by merge(result, next).
template <class Result, class Body, class Merge>
Result parallel_reduce(std::size_t count, std::size_t block, Result result, const Body& body,
                       const Merge& merge) {
  std::vector<Result> parts((count + block - 1) / block, result);
  parallel_for_blocks(count, block, [&](std::size_t first, std::size_t last) {
    parts[first / block] = body(first, last);
  });
  for (const Result& part : parts) merge(result, part);
  return result;
}

}  // namespace shortfall::detail
