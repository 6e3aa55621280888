// Hamming and Jaccard distance of bit strings of the same length. The unused bits of the last byte
// of a bit string are zero, so whole bytes can be counted.
#include "core/base/bits.h"
#include "pg/error.h"

namespace pagoda {
namespace {

struct BitPair {
    const uint8* a;
    const uint8* b;
    size_t bytes;
};

BitPair bit_args(FunctionCallInfo fcinfo) {
    VarBit* a = PG_GETARG_VARBIT_P(0);
    VarBit* b = PG_GETARG_VARBIT_P(1);
    if (VARBITLEN(a) != VARBITLEN(b)) {
        ereport(ERROR,
                (errcode(ERRCODE_DATA_EXCEPTION),
                 errmsg("different bit lengths %u and %u", static_cast<unsigned>(VARBITLEN(a)),
                        static_cast<unsigned>(VARBITLEN(b)))));
    }
    return {VARBITS(a), VARBITS(b), VARBITBYTES(a)};
}

// The number of ones in combine(a, b), eight bytes at a time.
template <class Combine>
uint64 count_ones(const BitPair& pair, Combine combine) {
    uint64 count = 0;
    size_t i = 0;
    for (; i + sizeof(uint64) <= pair.bytes; i += sizeof(uint64)) {
        const uint64 word = combine(load<uint64>(pair.a + i), load<uint64>(pair.b + i));
        count += static_cast<uint64>(pg_popcount64(word));
    }
    for (; i < pair.bytes; ++i) {
        count += static_cast<uint64>(
            std::popcount(static_cast<uint8>(combine(uint64{pair.a[i]}, uint64{pair.b[i]}))));
    }
    return count;
}

}  // namespace

PAGODA_SQL_FUNCTION(hamming_distance) {
    const BitPair pair = bit_args(fcinfo);
    PG_RETURN_FLOAT8(static_cast<float8>(count_ones(pair, std::bit_xor<uint64>())));
}

// 1 - |a and b| / |a or b|; 1 when no bit is common, also when both are empty.
PAGODA_SQL_FUNCTION(jaccard_distance) {
    const BitPair pair = bit_args(fcinfo);
    const uint64 common = count_ones(pair, std::bit_and<uint64>());
    if (common == 0) PG_RETURN_FLOAT8(1);
    const uint64 any = count_ones(pair, std::bit_or<uint64>());
    PG_RETURN_FLOAT8(1 - static_cast<float8>(common) / static_cast<float8>(any));
}

}  // namespace pagoda
