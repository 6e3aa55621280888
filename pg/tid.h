// Row addresses between core and the server.
#pragma once

#include "core/base/tid.h"
#include "pg/backend.h"

namespace pagoda {

static_assert(sizeof(ItemPointerData) == tid_bytes);
static_assert(sizeof(BlockNumber) == sizeof(Tid::block));
static_assert(sizeof(OffsetNumber) == sizeof(Tid::offset));

inline Tid tid_of(const ItemPointerData& item) {
    return {ItemPointerGetBlockNumberNoCheck(&item), ItemPointerGetOffsetNumberNoCheck(&item)};
}

inline ItemPointerData item_pointer_of(Tid tid) {
    ItemPointerData item;
    ItemPointerSet(&item, tid.block, tid.offset);
    return item;
}

}  // namespace pagoda
