// Memory over a memory context; single allocations may exceed 1 GB.
#include "pg/memory.h"

namespace pagoda {

static void* allocate_in_context(void* context, size_t bytes) {
    return MemoryContextAllocHuge(static_cast<MemoryContext>(context), bytes);
}

static void release_chunk(void*, void* pointer) {
    pfree(pointer);
}

Memory memory_in(MemoryContext context) {
    return {allocate_in_context, release_chunk, context};
}

}  // namespace pagoda
