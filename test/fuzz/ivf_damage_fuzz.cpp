// Damaged indexes: pages of a working ivf_rabitq index are changed, exchanged, zeroed or cut off,
// then the index is searched, inserted into, vacuumed and measured. Each operation must work or
// leave by a store error. It must not touch memory that is not its own, wait for itself, keep a
// page locked, or go on for ever: the number of page accesses is limited by what a damaged index of
// this size can ask for.
#include <memory>
#include <vector>

#include "core/ivf/insert.h"
#include "core/ivf/search.h"
#include "core/ivf/stats.h"
#include "core/ivf/vacuum.h"
#include "test/support/datasets.h"
#include "test/support/fuzz.h"
#include "test/support/memory.h"
#include "test/support/tiny_index.h"

namespace {

using namespace pagoda;
using namespace pagoda::ivf;
using test::MemoryStore;
using test::PageImage;

struct Sample {
    test::TinyIndexShape shape;
    test::VectorSet rows;
    std::vector<PageImage> image;
};

constexpr uint32_t row_count = 150;
// Measured over 50,000 operations on damaged indexes: at most 752 accesses by one of them.
constexpr uint64_t accesses_max = 100000;
constexpr uint64_t results_max = 2000000;

Tid tid_of(uint32_t row) {
    return {row, 7};
}

// An index that went through growth, deletion and reuse of lanes.
Sample make_sample(const test::TinyIndexShape& shape) {
    Sample sample{
        shape, test::clustered({.rows = row_count, .dim = shape.dim, .intrinsic_dim = 8}), {}};
    for (size_t i = 0; i < 3 * shape.dim; i++) sample.rows.values[i] = 0;
    sample.rows.values[5 * shape.dim] = 3e38f;
    MemoryStore store;
    test::TestMemory memory;
    test::write_tiny_index(store, shape);
    Inserter<MemoryStore> inserter(store, memory.memory());
    inserter.open();
    for (uint32_t row = 0; row < row_count; row++)
        inserter.insert(sample.rows.row(row), tid_of(row));
    const DeadTest dead = {[](void*, Tid tid) { return tid.block % 3 == 0; }, nullptr};
    bulk_delete(store, memory.memory(), dead);
    for (uint32_t row = 0; row < 20; row += 3) inserter.insert(sample.rows.row(row), tid_of(row));
    store.assert_replay_equal();
    sample.image = store.image();
    return sample;
}

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all = [] {
        std::vector<Sample> made;
        made.push_back(make_sample({.dim = 32, .lists = 4, .groups = 2}));
        made.push_back(make_sample({.dim = 70,
                                    .metric = Metric::inner_product,
                                    .refine_bits = 4,
                                    .lists = 1,
                                    .groups = 1}));
        made.push_back(make_sample(
            {.dim = 600, .metric = Metric::cosine, .lists = 9, .groups = 3, .split_runs = true}));
        made.push_back(make_sample({.dim = 64, .refine_bits = 0, .lists = 200, .groups = 12}));
        return made;
    }();
    return all;
}

// A number of the kind that a pointer or a count on a page may become.
uint32_t hostile_number(Random& random, uint32_t blocks) {
    constexpr uint32_t edges[] = {0, 1, 2, 31, 32, 8143, 8144, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    switch (random.below(4)) {
        case 0:
            return edges[random.below(std::size(edges))];
        case 1:
            return static_cast<uint32_t>(random.below(blocks + 2));
        case 2:
            return static_cast<uint32_t>(random.below(300));
        default:
            return static_cast<uint32_t>(random.next());
    }
}

void damage_page(MemoryStore& store, uint32_t block, Random& random) {
    const uint32_t blocks = store.block_count();
    // Half of the changes go to the first kilobyte of content, where meta data is.
    const size_t reach = random.below(2) == 0 ? 1400 : content_end - content_begin;
    const size_t at = content_begin + random.below(reach - 4);
    const PageImage other = store.page(static_cast<uint32_t>(random.below(blocks)));
    store.damage(block, [&](PageBytes page) {
        switch (random.below(8)) {
            case 0:
                page[at] ^= static_cast<std::byte>(1 << random.below(8));
                break;
            case 1:
            case 2:
            case 3:
                pagoda::store(page.data() + at / 4 * 4, hostile_number(random, blocks));
                break;
            case 4:
                pagoda::store(page.data() + at / 2 * 2, static_cast<uint16_t>(random.next()));
                break;
            case 5:
                for (size_t i = at; i < content_end; i++) {
                    page[i] = static_cast<std::byte>(random.next());
                }
                break;
            case 6:
                std::copy(other.begin(), other.end(), page.begin());
                break;
            default:
                std::fill(page.begin() + random.below(page_bytes), page.end(), std::byte{0});
        }
    });
}

// Points list entries, which start at `block`, at hostile places.
void damage_entry(MemoryStore& store, uint32_t block, Random& random) {
    store.damage(block, [&](PageBytes page) {
        const size_t list = random.below(6);
        const size_t field = random.below(sizeof(ListEntry) / 4) * 4;
        pagoda::store(page.data() + content_begin + list * sizeof(ListEntry) + field,
                      hostile_number(random, store.block_count()));
    });
}

void damage_index(MemoryStore& store, Random& random) {
    const MetaPage meta = load_meta(store.page(meta_block));
    for (size_t i = 1 + random.below(4); i > 0; i--) {
        const auto any = static_cast<uint32_t>(random.below(store.block_count()));
        switch (random.below(10)) {
            case 0:
                damage_page(store, meta_block, random);
                break;
            case 1:
            case 2:
            case 3:
                damage_entry(store, meta.entries.runs[0].block, random);
                break;
            case 4:
                // Rarely: the meta page almost always tells, which hides all other damage.
                if (random.below(10) == 0) store.truncate(store.block_count() - 1);
                break;
            default:
                damage_page(store, any, random);
        }
    }
}

// Runs one operation; returns when it is done or has left by a store error.
template <class Operation>
void run_operation(MemoryStore& store, Operation operation) {
    test::TestMemory memory;
    store.fail_at_access(accesses_max);
    try {
        operation(memory.memory());
    } catch (const test::StoreError&) {
    } catch (const test::InjectedFailure&) {
        check_always(!"more page accesses than an index of this size can need");
    }
    store.clear_faults();
    store.expect_no_locks();
}

void search(MemoryStore& store, const Sample& sample, Random& random) {
    run_operation(store, [&](Memory memory) {
        Search<MemoryStore> search(store, memory);
        search.load_index();
        if (search.meta().dim != sample.shape.dim) return;  // the server compares with the column
        const bool is_null = random.below(8) == 0;
        const auto query = sample.rows.row(random.below(row_count));
        ScanOptions options;
        options.probes = static_cast<int32_t>(random.below(4)) - 1;
        options.epsilon = random.below(2) == 0 ? -1.0f : 1.5f;
        search.start(is_null ? std::span<const float>() : query, options);
        Tid tid;
        for (uint64_t results = 0; search.next(&tid); results++) {
            check_always(results < results_max);
            check_always(tid.valid());
        }
    });
}

void insert(MemoryStore& store, const Sample& sample, Random& random) {
    run_operation(store, [&](Memory memory) {
        Inserter<MemoryStore> inserter(store, memory);
        inserter.open();
        if (inserter.meta().dim != sample.shape.dim) return;
        for (size_t i = random.below(40) + 1; i > 0; i--) {
            const auto row = static_cast<uint32_t>(random.below(row_count));
            inserter.insert(sample.rows.row(row), tid_of(1000 + row));
        }
    });
}

void vacuum(MemoryStore& store) {
    run_operation(store, [&](Memory memory) {
        const DeadTest dead = {[](void*, Tid tid) { return tid.block % 4 == 1; }, nullptr};
        bulk_delete(store, memory, dead);
    });
}

void fuzz_step(Random& random) {
    const Sample& sample = samples()[random.below(samples().size())];
    MemoryStore store;
    store.load_image(sample.image);
    damage_index(store, random);
    store.self_lock_is_damage = true;
    for (size_t i = 1 + random.below(4); i > 0; i--) {
        switch (random.below(4)) {
            case 0:
                insert(store, sample, random);
                break;
            case 1:
                vacuum(store);
                break;
            case 2:
                run_operation(store, [&](Memory) {
                    index_statistics(store);
                    count_rows(store);
                });
                break;
            default:
                search(store, sample, random);
        }
    }
    store.assert_replay_equal();
}

}  // namespace

int main(int argc, char** argv) {
    return test::run_fuzzer(argc, argv, {.name = "ivf_damage_fuzz", .steps = 1500, .seed = 1},
                            fuzz_step);
}
