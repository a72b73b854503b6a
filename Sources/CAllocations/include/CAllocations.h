#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdint.h>

/// How often this thread has asked the C library for memory: malloc, calloc, realloc and their aligned
/// relatives. Swift's own objects and arrays are among them. -1 where it cannot be counted.
int64_t allocation_count(void);

/// Bytes that the C library's allocator of the first thread has handed out and not got back, its own headers
/// included. -1 where it cannot be counted.
int64_t allocated_bytes(void);

#endif
