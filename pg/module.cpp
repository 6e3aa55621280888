// The loadable module `pagoda`.
#include "pg/error.h"
#include "pg/ivf/options.h"
#include "pg/rmgr.h"
#include "pg/settings.h"

extern "C" {
PG_MODULE_MAGIC;
PGDLLEXPORT void _PG_init(void);
}

void _PG_init(void) {
    pagoda::boundary([] {
        // Before the settings, which reserve our prefix.
        if (process_shared_preload_libraries_in_progress) pagoda::register_resource_manager();
        pagoda::define_settings();
        pagoda::ivf::define_options();
    });
}
