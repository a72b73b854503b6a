#include "CAllocations.h"

// Exact counts, without a preloaded library: an executable that links this file gets these functions in
// place of glibc's of the same names, which it reaches by their second names. The price is one increment
// of a thread's own variable for each allocation. Only the benchmarks, and so only the command line tool,
// link it; the libraries that an app ships do not.

// A sanitizer has an allocator of its own, which must not be replaced.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if !defined(HAS_SANITIZER) && (defined(__GLIBC__) || (defined(__linux__) && __has_include(<gnu/libc-version.h>)))

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local int64_t count;

int64_t allocation_count(void) { return count; }

int64_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count++;
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  count++;
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#else

int64_t allocation_count(void) { return -1; }
int64_t allocated_bytes(void) { return -1; }

#endif
