// Finds rows that repeat an earlier row, so that no two seeds of k-means are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/cluster/nearest.h"
#include "core/cluster/progress.h"

namespace pagoda::cluster {

// Slots of the hash table for `row_count` rows: a power of two below 3 x row_count.
size_t distinct_table_slots(size_t row_count);

// Sets is_repeat[i] to 1 when an earlier row equals row i, else to 0, and returns the number of
// rows that do not repeat. `table` is workspace of distinct_table_slots() elements. Zeroes of both
// signs are equal.
uint32_t mark_repeats(const Rows& rows, std::span<uint32_t> table, Pace& pace,
                      std::span<uint8_t> is_repeat);

}  // namespace pagoda::cluster
