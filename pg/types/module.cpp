// The loadable module `vector`: the types vector and halfvec and distances on bit. It needs no
// preload, defines no settings and keeps no state.
#include "pg/backend.h"

extern "C" {
PG_MODULE_MAGIC;
}
