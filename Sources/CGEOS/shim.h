// GEOS is called through its reentrant interface only: every call names its context.

#if !__has_include(<geos_c.h>)
#error "GEOS is not installed. Debian and Ubuntu: sudo apt-get install libgeos-dev. macOS: brew install geos."
#endif

#define GEOS_USE_ONLY_R_API
#include <geos_c.h>
