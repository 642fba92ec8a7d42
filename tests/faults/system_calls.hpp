#pragma once

#include <sys/syscall.h>

#include <array>

/// The system calls that faults are injected into: all that open, read, write, name, lock or
/// describe files.
namespace shortfall::faults {

enum class Role {
  plain,
  transfer,  ///< its third argument is a number of bytes, which may be made smaller
  vector,    ///< its third argument is a number of buffers
  closing    ///< releases the descriptor even if it fails
};

/// Which argument tells the file: a descriptor or a path, which is the number given; -1: none.
struct SystemCall {
  long number;
  const char* name;
  int descriptor;
  int path;
  Role role = Role::plain;
};

inline constexpr std::array system_calls{SystemCall{SYS_open, "open", -1, 0},
                                         SystemCall{SYS_openat, "openat", 0, 1},
                                         SystemCall{SYS_creat, "creat", -1, 0},
                                         SystemCall{SYS_read, "read", 0, -1, Role::transfer},
                                         SystemCall{SYS_pread64, "pread", 0, -1, Role::transfer},
                                         SystemCall{SYS_readv, "readv", 0, -1, Role::vector},
                                         SystemCall{SYS_write, "write", 0, -1, Role::transfer},
                                         SystemCall{SYS_pwrite64, "pwrite", 0, -1, Role::transfer},
                                         SystemCall{SYS_writev, "writev", 0, -1, Role::vector},
                                         SystemCall{SYS_fsync, "fsync", 0, -1},
                                         SystemCall{SYS_fdatasync, "fdatasync", 0, -1},
                                         SystemCall{SYS_rename, "rename", -1, 1},
                                         SystemCall{SYS_renameat, "renameat", 2, 3},
                                         SystemCall{SYS_renameat2, "renameat2", 2, 3},
                                         SystemCall{SYS_link, "link", -1, 1},
                                         SystemCall{SYS_linkat, "linkat", 2, 3},
                                         SystemCall{SYS_unlink, "unlink", -1, 0},
                                         SystemCall{SYS_unlinkat, "unlinkat", 0, 1},
                                         SystemCall{SYS_mkdir, "mkdir", -1, 0},
                                         SystemCall{SYS_mkdirat, "mkdirat", 0, 1},
                                         SystemCall{SYS_rmdir, "rmdir", -1, 0},
                                         SystemCall{SYS_flock, "flock", 0, -1},
                                         SystemCall{SYS_fcntl, "fcntl", 0, -1},
                                         SystemCall{SYS_ftruncate, "ftruncate", 0, -1},
                                         SystemCall{SYS_truncate, "truncate", -1, 0},
                                         SystemCall{SYS_fallocate, "fallocate", 0, -1},
                                         SystemCall{SYS_close, "close", 0, -1, Role::closing},
                                         SystemCall{SYS_stat, "stat", -1, 0},
                                         SystemCall{SYS_lstat, "lstat", -1, 0},
                                         SystemCall{SYS_fstat, "fstat", 0, -1},
                                         SystemCall{SYS_newfstatat, "fstatat", 0, 1},
                                         SystemCall{SYS_statx, "statx", 0, 1},
                                         SystemCall{SYS_access, "access", -1, 0},
                                         SystemCall{SYS_faccessat, "faccessat", 0, 1},
                                         SystemCall{SYS_faccessat2, "faccessat2", 0, 1},
                                         SystemCall{SYS_lseek, "lseek", 0, -1},
                                         SystemCall{SYS_chmod, "chmod", -1, 0},
                                         SystemCall{SYS_fchmod, "fchmod", 0, -1},
                                         SystemCall{SYS_fchmodat, "fchmodat", 0, 1},
                                         SystemCall{SYS_dup, "dup", 0, -1},
                                         SystemCall{SYS_dup2, "dup2", 0, -1},
                                         SystemCall{SYS_dup3, "dup3", 0, -1},
                                         SystemCall{SYS_ioctl, "ioctl", 0, -1},
                                         SystemCall{SYS_getdents64, "getdents", 0, -1},
                                         SystemCall{SYS_readlink, "readlink", -1, 0},
                                         SystemCall{SYS_readlinkat, "readlinkat", 0, 1},
                                         SystemCall{SYS_mmap, "mmap", 4, -1},
                                         SystemCall{SYS_ppoll, "ppoll", -1, -1},
                                         SystemCall{SYS_poll, "poll", -1, -1}};

}  // namespace shortfall::faults
