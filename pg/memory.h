// Core's view of a memory context. The context owns everything: what core does not give back is
// freed when the context is reset or deleted, also after an error.
#pragma once

#include "core/base/memory.h"
#include "pg/backend.h"

namespace pagoda {

// Memory in `context`, which must live longer than every use of the result. An allocation that
// fails leaves by ereport(ERROR) with out_of_memory.
Memory memory_in(MemoryContext context);

}  // namespace pagoda
