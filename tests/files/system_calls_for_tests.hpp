#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace shortfall::testing {

inline constexpr int no_filter = 77;  ///< exit code of a child if the kernel allows no filter

/// A result to force on a system call.
inline unsigned killed() {
  return SECCOMP_RET_KILL_PROCESS;
}
inline unsigned failing(int error) {
  return SECCOMP_RET_ERRNO | static_cast<unsigned>(error);
}

/// Runs `action` in a child process with these results of system calls. Returns its status as from
/// waitpid().
template <class Action>
int run_with_calls(std::initializer_list<long> calls, unsigned ending, const Action& action) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::vector<sock_filter> program{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
    for (const long call : calls) {
      program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
      program.push_back(BPF_STMT(BPF_RET | BPF_K, ending));
    }
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
      ::_exit(no_filter);
    }
    action();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

inline const std::initializer_list<long> rename_calls = {
#ifdef SYS_rename
    SYS_rename,
#endif
    SYS_renameat, SYS_renameat2};

}  // namespace shortfall::testing
