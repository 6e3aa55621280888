// Storage parameters of an ivf_rabitq index: lists and refine_bits. They matter at build only; the
// meta page keeps what was built.
#pragma once

#include "pg/backend.h"

namespace pagoda::ivf {

inline constexpr int lists_automatic = -1;
inline constexpr int refine_bits_default = 8;

struct IndexOptions {
    int lists;
    int refine_bits;
};

// Registers the parameters; called once when the module is loaded.
void define_options();

// The parameters of an open index, or the defaults.
IndexOptions options_of(Relation index);

}  // namespace pagoda::ivf
