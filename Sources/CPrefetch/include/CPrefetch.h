#ifndef C_PREFETCH_H
#define C_PREFETCH_H

/// Tells the processor that the memory at an address will be read or written soon. Nothing waits for it, and
/// nothing happens if there is no memory there.
static inline void prefetch(const void *_Nonnull address) { __builtin_prefetch(address); }

#endif
