// The commands of the tool; main.cpp lists them.
#pragma once

#include "tools/pagoda/arguments.h"

namespace pagoda::tool {

extern const Command demo_command;
extern const Command load_command;
extern const Command bench_search_command;
extern const Command bench_cancel_command;
extern const Command check_recall_command;

// Where the bundled data set lies, from the root of a checkout.
inline constexpr const char* bundled_data = "data/wordnet512-20k";

}  // namespace pagoda::tool
