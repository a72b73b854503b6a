#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

// Where a pipe cannot be made closed on exec in one step, no child may be started between the two steps.
#if !defined(__linux__)
static pthread_mutex_t between = PTHREAD_MUTEX_INITIALIZER;
#define BEGIN_ALONE() pthread_mutex_lock(&between)
#define END_ALONE() pthread_mutex_unlock(&between)
#else
#define BEGIN_ALONE() ((void)0)
#define END_ALONE() ((void)0)
#endif

// Where the tool was started without standard input, output or error, a pipe would take their numbers, and
// the child's own would be closed over it.
static int lift(int *descriptor) {
  if (*descriptor > STDERR_FILENO) return 0;
  int higher = fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (higher < 0) return errno;
  close(*descriptor);
  *descriptor = higher;
  return 0;
}

static int make_pipe(int ends[2]) {
#if defined(__linux__)
  return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
#else
  if (pipe(ends) != 0) return errno;
  if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0) return 0;
  int error = errno;
  close(ends[0]);
  close(ends[1]);
  return error;
#endif
}

int child_pipe(int ends[2]) {
  BEGIN_ALONE();
  int error = make_pipe(ends);
  END_ALONE();
  if (error != 0) return error;
  error = lift(&ends[0]);
  if (error == 0) error = lift(&ends[1]);
#if defined(F_SETNOSIGPIPE)
  if (error == 0 && fcntl(ends[1], F_SETNOSIGPIPE, 1) != 0) error = errno;
#endif
  if (error != 0) {
    close(ends[0]);
    close(ends[1]);
  }
  return error;
}

int child_do_not_block(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) return errno;
  return 0;
}

static int prepare(posix_spawn_file_actions_t *actions, int input, int output, int errors) {
  int error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
  // Whoever started the tool may have left it descriptors that are not closed on exec.
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#endif
#endif
  return error;
}

static int attribute(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
  int error = posix_spawnattr_setpgroup(attributes, 0);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
  if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
  if (error == 0) error = posix_spawnattr_setflags(attributes, flags);
  return error;
}

int child_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], int input, int output,
    int errors) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    error = prepare(&actions, input, output, errors);
    if (error == 0) error = attribute(&attributes);
    if (error == 0) {
      BEGIN_ALONE();
      error = posix_spawn(process, path, &actions, &attributes, arguments, environment);
      END_ALONE();
    }
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static ssize_t write_again(int descriptor, const void *bytes, size_t count) {
  ssize_t written;
  do {
    written = write(descriptor, bytes, count);
  } while (written < 0 && errno == EINTR);
  return written < 0 ? -errno : written;
}

ssize_t child_write(int descriptor, const void *bytes, size_t count) {
#if defined(F_SETNOSIGPIPE)
  return write_again(descriptor, bytes, count);
#else
  // The signal comes to the thread that writes: it is blocked here, taken away if it came, and let in again.
  // What the process does about SIGPIPE elsewhere (ending quietly under 'head', say) stays as it is.
  sigset_t pipe_signal, before;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t written = write_again(descriptor, bytes, count);
  if (written == -EPIPE) {
    struct timespec at_once = {0, 0};
    while (sigtimedwait(&pipe_signal, NULL, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return written;
#endif
}

ssize_t child_read(int descriptor, void *bytes, size_t count) {
  ssize_t taken;
  do {
    taken = read(descriptor, bytes, count);
  } while (taken < 0 && errno == EINTR);
  return taken < 0 ? -errno : taken;
}

int child_exit_descriptor(pid_t process) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  (void)process;
  return -1;
#endif
}

int child_has_ended(pid_t process, int *by_signal, int *number) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int result;
  do {
    result = waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -1;
  if (info.si_pid != process) return 0;
  *by_signal = info.si_code != CLD_EXITED;
  *number = info.si_status;
  return 1;
}
