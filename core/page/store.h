// PageStore: how core reaches pages. Two hosts model it: the server (shared buffers and WAL, pg/)
// and the tests (memory, faults, crashes, test/support).
//
// Rules for both sides:
// - No call returns an error. The server leaves by longjmp, the test host by throwing. So a frame
//   that calls the store owns no heap memory; it may hold spans, trivially destructible values and
//   guards, whose destructors do only what transaction abort does as well (unlock, unpin).
// - Locking a page that the caller holds already is a bug of the caller or damage on a page; the
// store
//   leaves with a corrupt-page error instead of waiting for itself.
// - Lock order: see core/ivf/README.md. A caller holds at most five pages at a time.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "core/page/edit.h"
#include "core/page/layout.h"

namespace pagoda {

// A pinned page under a shared (read) or exclusive (write) lock. Movable, not copyable; release()
// unlocks and unpins early.
template <class G>
concept PageGuard = std::movable<G> && requires(G& guard, const G& view) {
    { view.block() } -> std::same_as<uint32_t>;
    { view.bytes() } -> std::same_as<ConstPageBytes>;
    guard.release();
};

template <class S>
concept PageStore = requires(S& store, uint32_t block, uint32_t count, PageEdit& edit,
                             Error error) {
    requires PageGuard<typename S::ReadGuard>;
    requires PageGuard<typename S::WriteGuard>;
    // Pins and locks one existing page. A block past the end leaves as a corrupt-page error.
    { store.read(block) } -> std::same_as<typename S::ReadGuard>;
    { store.lock(block) } -> std::same_as<typename S::WriteGuard>;
    // Number of blocks of the index now.
    { store.block_count() } -> std::same_as<uint32_t>;
    // Adds `count` consecutive all-zero blocks at the end and returns the first. Not logged: the
    // caller initialises them by edits before anything points to them. A crash leaves zero pages.
    { store.extend(count) } -> std::same_as<uint32_t>;
    // Hint that these blocks will be read soon.
    store.prefetch(block, count);
    // Applies the edit to its pages (all locked exclusively by the caller) and logs it as one
    // record.
    store.commit(edit);
    // Leaves when the user cancelled or the session ends. Called with no page locked.
    store.poll();
    // Leaves with this error. Does not return.
    store.fail(error);
};

// What a bulk build writes through: whole pages, in block order from 0, each once, logged as pages.
template <class S>
concept BulkStore = requires(S& store, ConstPageBytes page) {
    { store.append_page(page) } -> std::same_as<uint32_t>;  // the block that it became
    store.poll();
};

// Reads the tag and fails when the page is not of this index and kind.
template <class S>
void expect_page(S& store, ConstPageBytes page, PageKind kind, uint8_t version_max,
                 uint32_t index_id, uint32_t block) {
    if (Status status = validate_page(page, kind, version_max, index_id, block); !status) {
        store.fail(status.error());
    }
}

}  // namespace pagoda
