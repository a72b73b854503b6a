#ifndef CFOLDEREXCHANGE_H
#define CFOLDEREXCHANGE_H

/// Gives each of two paths what the other one names, in one step that no other process sees half done.
///
/// Returns 0, or the number of the error: ENOSYS or EINVAL where the system or the file system cannot.
int tb_exchange_paths(const char *first, const char *second);

#endif
