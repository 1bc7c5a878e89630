/*
 * Makes a call of the system about a file under FAULT_FOLDER fail: the FAULT_AT-th one, and with FAULT_LASTING=1 all later ones, with
 * the error FAULT_CODE; without FAULT_CODE, the process ends there. FAULT_LOG gets a byte for each call.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#define open hidden_open
#define open64 hidden_open64
#include <fcntl.h>
#undef open
#undef open64
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int calls;

static int fails(const char *path) {
  const char *folder = getenv("FAULT_FOLDER"), *code = getenv("FAULT_CODE"), *log = getenv("FAULT_LOG");
  if (folder == NULL || path == NULL || strncmp(path, folder, strlen(folder)) != 0) return 0;
  int call = atomic_fetch_add(&calls, 1), at = atoi(getenv("FAULT_AT"));
  if (log != NULL) {
    int fd = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    syscall(SYS_write, fd, ".", 1);
    syscall(SYS_close, fd);
  }
  if (call != at && !(call > at && getenv("FAULT_LASTING") != NULL)) return 0;
  if (code == NULL) syscall(SYS_exit_group, 99);
  errno = atoi(code);
  return 1;
}

static int failsAt(int fd) {
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return fails(path);
}

#define WRAP(type, name, parameters, arguments, test)                       \
  type name parameters {                                                    \
    static type(*real) parameters;                                          \
    if (real == NULL) real = (type(*) parameters)dlsym(RTLD_NEXT, #name);   \
    return test ? -1 : real arguments;                                      \
  }

WRAP(ssize_t, write, (int fd, const void *bytes, size_t length), (fd, bytes, length), failsAt(fd))
WRAP(ssize_t, pwrite, (int fd, const void *bytes, size_t length, off_t at), (fd, bytes, length, at), failsAt(fd))
WRAP(ssize_t, pwrite64, (int fd, const void *bytes, size_t length, off64_t at), (fd, bytes, length, at), failsAt(fd))
WRAP(int, fsync, (int fd), (fd), failsAt(fd))
WRAP(int, fdatasync, (int fd), (fd), failsAt(fd))
WRAP(int, ftruncate, (int fd, off_t length), (fd, length), failsAt(fd))
WRAP(int, ftruncate64, (int fd, off64_t length), (fd, length), failsAt(fd))
WRAP(int, rename, (const char *from, const char *to), (from, to), fails(from))
WRAP(int, link, (const char *from, const char *to), (from, to), fails(from))
WRAP(int, unlink, (const char *path), (path), fails(path))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), fails(path))
WRAP(int, open, (const char *path, int flags, mode_t mode), (path, flags, mode), fails(path))
WRAP(int, open64, (const char *path, int flags, mode_t mode), (path, flags, mode), fails(path))
