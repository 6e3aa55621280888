// The settings of the module, registered by _PG_init. -1 means automatic.
#pragma once

namespace pagoda {

extern int setting_probes;      // pagoda.probes: lists that a search may visit before it stops
extern double setting_epsilon;  // pagoda.epsilon: width of the bound, in standard deviations

// Registers all settings and reserves the prefix "pagoda".
void define_settings();

}  // namespace pagoda
