// A small ivf_rabitq index without rows, written page by page from core/ivf/format.h and nothing
// else: a second writer of the format, for tests of the code that reads and changes indexes. Its
// centroids are random points instead of the result of clustering.
#pragma once

#include <cstdint>
#include <span>

#include "core/ivf/format.h"
#include "test/support/memory_store.h"

namespace pagoda::test {

struct TinyIndexShape {
    uint32_t dim = 32;
    ivf::Metric metric = ivf::Metric::l2;
    uint8_t refine_bits = 8;
    uint32_t lists = 4;   // without the outlier list
    uint32_t groups = 2;  // at most `lists`
    uint64_t seed = 1;
    uint32_t index_id = 0x7157;
    // Cuts each stream that is long enough into two runs with an unused page in between.
    bool split_runs = false;
};

// Appends the pages of the index to the empty store.
void write_tiny_index(MemoryStore& store, const TinyIndexShape& shape);

}  // namespace pagoda::test
