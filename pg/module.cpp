// The loadable module `pagoda`.
#include "pg/error.h"
#include "pg/ivf/options.h"
#include "pg/settings.h"

extern "C" {
PG_MODULE_MAGIC;
PGDLLEXPORT void _PG_init(void);
}

void _PG_init(void) {
    pagoda::boundary([] {
        pagoda::define_settings();
        pagoda::ivf::define_options();
    });
}
