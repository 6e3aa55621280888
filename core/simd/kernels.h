// The kernel table: every routine that has one implementation per instruction set. Scalar is the
// oracle; integer kernels are bit-exact on every level, float kernels may differ in the last bits
// because they sum in another order. Chosen once by dispatch.cpp.
//
// Layouts (see docs/FORMAT.md): a FastScan row is 16 bytes for 4 dimensions of 32 lanes; byte j has
// the 4 sign bits of lane j in its low nibble and those of lane j + 16 in its high nibble; bit b is
// dimension 4 * row + b. A lookup table has 16 entries of 0..127 per row.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pagoda::simd {

enum class Level : uint8_t { scalar = 0, avx2 = 1, neon = 2 };

struct Kernels {
    Level level;
    const char* name;

    // --- distances between two arrays of `n` elements; f16 arrays hold IEEE half bit patterns.
    // Sums are accumulated in f32 lanes. No alignment is required.
    float (*l2_f32)(const float* a, const float* b, size_t n);   // sum of squared differences
    float (*dot_f32)(const float* a, const float* b, size_t n);  // inner product
    float (*l1_f32)(const float* a, const float* b, size_t n);   // sum of absolute differences
    float (*l2_f16)(const uint16_t* a, const uint16_t* b, size_t n);
    float (*dot_f16)(const uint16_t* a, const uint16_t* b, size_t n);
    float (*l1_f16)(const uint16_t* a, const uint16_t* b, size_t n);
    float (*dot_f32_f16)(const float* a, const uint16_t* b, size_t n);
    float (*l2_f32_f16)(const float* a, const uint16_t* b, size_t n);
    // dot = <a,b>, norms = <a,a>, <b,b> in one pass (cosine distance).
    void (*cosine_f32)(const float* a, const float* b, size_t n, float out[3]);
    void (*cosine_f16)(const uint16_t* a, const uint16_t* b, size_t n, float out[3]);

    // --- conversions; to_f16 rounds to nearest even, overflow gives infinity.
    void (*f16_to_f32)(const uint16_t* source, float* target, size_t n);
    void (*f32_to_f16)(const float* source, uint16_t* target, size_t n);

    // --- FastScan: adds to acc[0..31] the table entries selected by each lane's nibbles.
    // codes: rows x 16 bytes, table: rows x 16 bytes. rows <= fastscan_rows_max; acc must not be
    // carried over more rows than that without being flushed (u16 does not wrap: 516 x 127 <
    // 65536).
    void (*fastscan)(const uint8_t* codes, const uint8_t* table, size_t rows, uint16_t acc[32]);

    // --- Filter of one group: for each lane the lower bound and estimate
    //   estimate[i] = add[i] * add_unit + base + slope * s[i] * s_unit * ip[i]
    //   lower[i]    = estimate[i] - width * s[i] * s_unit
    // with ip[i] = acc[i] * step + offset. add and s are IEEE halves. Returns the mask of lanes
    // with lower[i] < threshold (NaN counts as not below). Written without fused operations, so it
    // gives the same bits on every level.
    struct FilterArgs {
        float add_unit, s_unit;  // powers of two of the group
        float base;              // query's additive part of this list
        float slope;             // -2 for L2, -1 for inner product
        float width;             // eps * kappa * |w - c| * (2 for L2, 1 for inner product)
        float step, offset;      // lookup table: <y, w> = step * acc + offset
        float threshold;
    };
    uint32_t (*filter)(const uint32_t acc[32], const uint16_t add[32], const uint16_t s[32],
                       const FilterArgs* args, float lower[32], float estimate[32]);

    // --- level-1 code dots: sum over n of code[i] * query[i]; codes unsigned, query signed 12 bits
    // in i16 (|query| <= 2047). n <= 16,384: fits i64; the kernel flushes i32 lanes as needed.
    int64_t (*dot_u8_i16)(const uint8_t* code, const int16_t* query, size_t n);
    // 4-bit codes: byte i holds dimension 2i in its low and 2i + 1 in its high nibble; n even.
    int64_t (*dot_u4_i16)(const uint8_t* code, const int16_t* query, size_t n);

    // --- rotation steps. All three give the same bits on every level (no fused rounding, one order
    // of butterflies), so an index built on one machine is read and extended on another.
    // hadamard: in place, n a power of two, every result multiplied by `scale`.
    void (*hadamard)(float* x, size_t n, float scale);
    void (*flip_signs)(float* x, const uint8_t* bits, size_t n);  // bit i set: x[i] = -x[i]
    // pairs (x[i], x[i + n/2]) -> ((a + b) / sqrt 2, (a - b) / sqrt 2); n even.
    void (*givens_mix)(float* x, size_t n);

    // --- matrix product tile for clustering: out[i * out_stride + j] = <a_i, b_j> for
    // i < rows, j < columns; a is rows x depth row-major, b is columns x depth row-major (f32).
    // Implementations pack as they need into `workspace` (gemm_workspace_floats(depth) floats).
    // Packing b costs about as much as six rows of a: call it with tens of rows or more.
    void (*gemm)(const float* a, size_t rows, const float* b, size_t columns, size_t depth,
                 float* out, size_t out_stride, float* workspace);

    // --- making codes (core/rabitq). With r = z - c: sets bit i of `bits` where r[i] >= 0 (n / 8
    // bytes, n a multiple of 8) and sums in f64. `m` may be null, then its sum is 0.
    struct ResidualSums {
        double norm2;       // sum of r * r
        double absolute;    // sum of |r|
        double sign_dot_c;  // sum of sign(r) * c
        double dot_c;       // sum of r * c
        double z_norm2;     // sum of z * z
        double z_dot_m;     // sum of z * m
    };
    void (*residual_sums)(const float* z, const float* c, const float* m, size_t n, uint8_t* bits,
                          ResidualSums* sums);
    // Levels of z: magnitude l = min(floor(|z| * factor), 127 or 7), code 128 + l (8 + l) for
    // z >= 0 and 127 - l (7 - l) otherwise, packed as dot_u8_i16 and dot_u4_i16 read them. n is
    // even and at most 16,384; products finite. y = sign(z) * (l + 1/2).
    struct LevelSums {
        double z_dot_y;
        double y_norm2;
    };
    void (*quantize_u8)(const float* z, size_t n, float factor, uint8_t* code, LevelSums* sums);
    void (*quantize_u4)(const float* z, size_t n, float factor, uint8_t* code, LevelSums* sums);
    // Lookup tables of `rows` rows of 4 dimensions: entry b is the sum over the dimensions of
    // |v| where bit and sign of v agree (bit 1: v >= 0), v = w * factor, rounded to nearest even
    // and held to 0..127. The same bytes on every level.
    void (*lookup)(const float* w, size_t rows, float factor, uint8_t* table);
};

inline constexpr size_t fastscan_rows_max = 516;
constexpr size_t gemm_workspace_floats(size_t depth) {
    return 64 * depth + 64;
}

// The best level that this machine runs, chosen on first use; tests may force a level.
const Kernels& kernels();
// Forces a level; false when this machine cannot run it. Not safe while other threads use kernels.
bool force_level(Level level);
// The table of one level, or nullptr when this machine or build does not have it.
const Kernels* kernels_of(Level level);

}  // namespace pagoda::simd
