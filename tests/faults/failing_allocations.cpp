// A library to preload into a command, whose N-th allocation then fails. SHORTFALL_FAIL_AT is N,
// and `N+` makes all further ones fail, too. The number of allocations is written to the file
// SHORTFALL_ALLOCATIONS. Only allocations within main() count: what fails before is not ours.
// Neither do those of the loader, which does not survive their failure (glibc 2.36, in
// _dlerror_run).

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The names of the C library.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace {

std::atomic<long> allocations{0};
std::atomic<bool> is_counting{false};
thread_local bool is_loading = false;
long fail_at = 0;
bool fail_further = false;
const char* report = nullptr;
int (*command)(int, char**, char**) = nullptr;

bool fails() {
  if (!is_counting || is_loading) return false;
  const long number = ++allocations;
  const bool failed = number == fail_at || (fail_further && number > fail_at);
  if (failed) errno = ENOMEM;
  return failed;
}

void end_count() {
  is_counting = false;
  if (report == nullptr) return;
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%ld\n", allocations.load());
  const int file = ::open(report, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || ::write(file, text, static_cast<size_t>(size)) != size) std::_Exit(99);
  ::close(file);
}

int counted_main(int argc, char** argv, char** environment) {
  if (const char* at = std::getenv("SHORTFALL_FAIL_AT")) {
    fail_at = std::strtol(at, nullptr, 10);
    fail_further = std::strchr(at, '+') != nullptr;
  }
  report = std::getenv("SHORTFALL_ALLOCATIONS");
  void* frame = nullptr;
  ::backtrace(&frame, 1);  // loads what ends threads, and aborts if it cannot
  is_counting = true;
  const int code = command(argc, argv, environment);
  end_count();
  return code;
}

}  // namespace

extern "C" {

void* malloc(size_t size) {
  return fails() ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* memory, size_t size) {
  return fails() ? nullptr : __libc_realloc(memory, size);
}
void* memalign(size_t alignment, size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void** memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

void* dlopen(const char* file, int mode) {
  const auto load = reinterpret_cast<decltype(&dlopen)>(dlsym(RTLD_NEXT, "dlopen"));
  is_loading = true;
  void* const library = load(file, mode);
  is_loading = false;
  return library;
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack_end) {
  command = main;
  const auto start =
      reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
}
