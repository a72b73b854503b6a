#ifndef C_CHILD_PROCESS_H
#define C_CHILD_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

/// What starting a child and writing to it need of the C library that Swift does not see, or that differs
/// between platforms. No function here keeps state. Numbers of errors are those of errno.h.

/// Makes a pipe, both ends closed on exec and above standard error: ends[0] is read, ends[1] written.
/// Returns 0, or the number of the error.
int child_pipe(int ends[2]);

/// Makes reads and writes of this end return at once.
int child_do_not_block(int descriptor);

/// Starts the program at `path` with the three descriptors as its standard input, output and error and no
/// others, in a process group of its own, with the default handling of every signal and none blocked.
/// Returns 0, or the number of the error.
int child_spawn(
    pid_t *process, const char *path, char *const arguments[], char *const environment[], int input, int output,
    int errors);

/// Writes as write(2) does, but a pipe that nobody reads is only an error, never a signal to this process.
/// Returns how many bytes were taken, or the negative number of the error.
ssize_t child_write(int descriptor, const void *bytes, size_t count);

/// Reads as read(2) does, and again when a signal interrupts it. Returns how many bytes there were, 0 at the
/// end, or the negative number of the error.
ssize_t child_read(int descriptor, void *bytes, size_t count);

/// A descriptor that can be read from once the process has ended; -1 where the system has none.
int child_exit_descriptor(pid_t process);

/// Whether a child has ended, without forgetting it: 1 it has, 0 it has not, -1 it is not a child (any more).
/// How it ended: by a signal or by itself, and the number of the signal or its exit status.
int child_has_ended(pid_t process, int *by_signal, int *number);

#endif
