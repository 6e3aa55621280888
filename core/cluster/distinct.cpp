// See distinct.h. Open addressing with linear probing over row numbers; the load is at most 2/3.
#include "core/cluster/distinct.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace pagoda::cluster {

namespace {

constexpr uint32_t empty_slot = UINT32_MAX;

uint64_t hash_row(std::span<const float> row) {
    // Four independent chains of multiplications; adding zero turns -0 into 0.
    uint64_t lanes[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < row.size(); i += 4) {
        for (size_t lane = 0; lane < 4; ++lane) {
            const auto bits = std::bit_cast<uint32_t>(row[i + lane] + 0.0f);
            lanes[lane] = std::rotl((lanes[lane] ^ bits) * 0x9E3779B97F4A7C15ull, 29);
        }
    }
    uint64_t hash = 0;
    for (const uint64_t lane : lanes) hash = (hash ^ lane) * 0xD6E8FEB86659FD93ull;
    return hash ^ (hash >> 32);
}

}  // namespace

size_t distinct_table_slots(size_t row_count) {
    return std::bit_ceil(row_count + row_count / 2 + 1);
}

uint32_t mark_repeats(const Rows& rows, std::span<uint32_t> table, Pace& pace,
                      std::span<uint8_t> is_repeat) {
    check(std::has_single_bit(table.size()));
    check(table.size() > rows.count());
    std::ranges::fill(table, empty_slot);
    const size_t mask = table.size() - 1;
    uint32_t distinct = 0;
    for (size_t i = 0; i < rows.count(); ++i) {
        const auto row = rows.row(i);
        size_t slot = hash_row(row) & mask;
        while (table[slot] != empty_slot && !std::ranges::equal(rows.row(table[slot]), row)) {
            slot = (slot + 1) & mask;
            pace.spend(8);  // a cache miss; rows that differ do so within a few values
        }
        is_repeat[i] = table[slot] == empty_slot ? 0 : 1;
        if (is_repeat[i] == 0) {
            table[slot] = static_cast<uint32_t>(i);
            ++distinct;
        }
        pace.spend(2 * row.size());
    }
    return distinct;
}

}  // namespace pagoda::cluster
