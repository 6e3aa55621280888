// Compares every NEON kernel with the scalar one, for all tails and with extreme inputs: integers,
// rotation steps, filter, tables and conversions bit for bit, other float sums within 1e-5 of their
// absolute sum. A program of its own without GoogleTest, so that a cross compiler without libraries
// builds it; tools/neon_check.sh runs it under an emulator. Prints counts; exits 1 on a mismatch.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "core/base/random.h"
#include "core/simd/half_bits.h"
#include "core/simd/kernels.h"

namespace {

using pagoda::Random;
using pagoda::simd::Kernels;

struct Report {
    const char* name = "";
    size_t checked = 0;
    size_t wrong = 0;
};

Report report;
size_t total_wrong = 0;

void begin(const char* name) {
    report = {name, 0, 0};
}

void end() {
    std::printf("%-16s %9zu checked, %zu wrong\n", report.name, report.checked, report.wrong);
    total_wrong += report.wrong;
}

void expect(bool is_right, size_t n) {
    ++report.checked;
    if (is_right) return;
    if (report.wrong++ < 5) std::printf("%s differs at size %zu\n", report.name, n);
}

void expect_bytes(const void* a, const void* b, size_t bytes, size_t n) {
    expect(bytes == 0 || std::memcmp(a, b, bytes) == 0, n);
}

void expect_near(double a, double b, double scale, size_t n) {
    const bool is_same = std::isnan(a) == std::isnan(b) && (std::isnan(a) || a == b);
    expect(is_same || std::fabs(a - b) <= 1e-5 * scale, n);
}

using Floats = std::vector<float>;
using Halves = std::vector<uint16_t>;
using Bytes = std::vector<uint8_t>;

Floats random_floats(Random& random, size_t n, double scale = 1) {
    Floats values(n);
    for (float& v : values) {
        v = static_cast<float>((random.unit() * 2 - 1) * scale);
        if (random.below(16) == 0) v = random.below(2) == 0 ? 0.0f : -0.0f;
    }
    return values;
}

Bytes random_bytes(Random& random, size_t n, uint64_t bound = 256) {
    Bytes bytes(n);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random.below(bound));
    return bytes;
}

Halves to_halves(const Floats& values) {
    Halves halves(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        halves[i] = pagoda::simd::f16_from_f32(values[i]);
    }
    return halves;
}

template <class T>
const T* at(const std::vector<T>& v) {
    return v.data();
}

// Calls compare(n, a, b) for every size up to 130 with ordinary inputs, inputs that overflow and
// inputs with a NaN or an infinity.
template <class Compare>
void for_all_inputs(const char* name, Compare compare) {
    begin(name);
    Random random(901);
    for (size_t n = 0; n <= 130; ++n) {
        for (int kind = 0; kind < 4; ++kind) {
            Floats a = random_floats(random, n), b = random_floats(random, n);
            // All products positive, so that every order of summing overflows alike.
            for (size_t i = 0; kind == 1 && i < n; ++i) {
                a[i] = std::fabs(a[i]) * 3e19f;
                b[i] = std::fabs(b[i]) * 3e19f;
            }
            if (n > 0 && kind == 2) a[random.below(n)] = NAN;
            if (n > 0 && kind == 3) a[random.below(n)] = INFINITY;
            compare(n, a, b);
        }
    }
    end();
}

// Infinities and NaN have to agree; finite sums within 1e-5 of the sum of magnitudes.
void expect_sum(double a, double b, const Floats& x, const Floats& y, size_t n) {
    double scale = 1e-30;
    for (size_t i = 0; i < n; ++i) {
        const double u = x[i], v = y[i];
        for (double term : {u * u, v * v, std::fabs(u - v), (u - v) * (u - v), std::fabs(u * v)}) {
            if (std::isfinite(term)) scale += term;
        }
    }
    expect_near(a, b, std::isfinite(a) && std::isfinite(b) ? scale : 0, n);
}

void check_distances(const Kernels& s, const Kernels& v) {
    const auto f32 = [&](const char* name, auto member) {
        for_all_inputs(name, [&](size_t n, const Floats& a, const Floats& b) {
            expect_sum((s.*member)(at(a), at(b), n), (v.*member)(at(a), at(b), n), a, b, n);
        });
    };
    const auto f16 = [&](const char* name, auto member) {
        for_all_inputs(name, [&](size_t n, const Floats& a, const Floats& b) {
            const Halves x = to_halves(a), y = to_halves(b);
            expect_sum((s.*member)(at(x), at(y), n), (v.*member)(at(x), at(y), n), a, b, n);
        });
    };
    const auto mixed = [&](const char* name, auto member) {
        for_all_inputs(name, [&](size_t n, const Floats& a, const Floats& b) {
            const Halves y = to_halves(b);
            expect_sum((s.*member)(at(a), at(y), n), (v.*member)(at(a), at(y), n), a, b, n);
        });
    };
    f32("l2_f32", &Kernels::l2_f32);
    f32("dot_f32", &Kernels::dot_f32);
    f32("l1_f32", &Kernels::l1_f32);
    f16("l2_f16", &Kernels::l2_f16);
    f16("dot_f16", &Kernels::dot_f16);
    f16("l1_f16", &Kernels::l1_f16);
    mixed("dot_f32_f16", &Kernels::dot_f32_f16);
    mixed("l2_f32_f16", &Kernels::l2_f32_f16);
    for_all_inputs("cosine", [&](size_t n, const Floats& a, const Floats& b) {
        const Halves x = to_halves(a), y = to_halves(b);
        float p[3], q[3];
        s.cosine_f32(at(a), at(b), n, p);
        v.cosine_f32(at(a), at(b), n, q);
        for (int i = 0; i < 3; ++i) expect_sum(p[i], q[i], a, b, n);
        s.cosine_f16(at(x), at(y), n, p);
        v.cosine_f16(at(x), at(y), n, q);
        for (int i = 0; i < 3; ++i) expect_sum(p[i], q[i], a, b, n);
    });
}

void check_conversions(const Kernels& s, const Kernels& v) {
    begin("f16_to_f32");
    Halves halves(65536);
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
    for (size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{5}, size_t{65536}}) {
        Floats x(n), y(n);
        s.f16_to_f32(at(halves), x.data(), n);
        v.f16_to_f32(at(halves), y.data(), n);
        expect_bytes(at(x), at(y), n * sizeof(float), n);
    }
    end();
    begin("f32_to_f16");
    Random random(902);
    for (int round = 0; round < 20000; ++round) {
        const size_t n = random.below(40);
        Floats source(n);
        for (float& f : source) {
            const auto bits = static_cast<uint32_t>(random.next());
            std::memcpy(&f, &bits, sizeof f);
            const int exponent = static_cast<int>(random.below(46)) - 28;
            if (random.below(2) == 0) f = std::ldexp(static_cast<float>(random.unit()), exponent);
        }
        Halves x(n), y(n);
        s.f32_to_f16(at(source), x.data(), n);
        v.f32_to_f16(at(source), y.data(), n);
        expect_bytes(at(x), at(y), n * sizeof(uint16_t), n);
    }
    end();
}

void check_fastscan(const Kernels& s, const Kernels& v) {
    begin("fastscan");
    Random random(903);
    for (size_t rows = 0; rows <= pagoda::simd::fastscan_rows_max; ++rows) {
        for (int kind = 0; kind < 3; ++kind) {
            const Bytes codes = kind == 2 ? Bytes(rows * 16, 255) : random_bytes(random, rows * 16);
            const Bytes table =
                kind == 0 ? random_bytes(random, rows * 16, 128) : Bytes(rows * 16, 127);
            uint16_t a[32], b[32];
            for (size_t i = 0; i < 32; ++i) {
                a[i] = b[i] = static_cast<uint16_t>(random.below(65536 - 127 * rows));
            }
            s.fastscan(at(codes), at(table), rows, a);
            v.fastscan(at(codes), at(table), rows, b);
            expect_bytes(a, b, sizeof a, rows);
        }
    }
    end();
}

void check_filter(const Kernels& s, const Kernels& v) {
    begin("filter");
    Random random(904);
    for (int round = 0; round < 5000; ++round) {
        uint32_t acc[32];
        uint16_t add[32], scale[32];
        for (size_t i = 0; i < 32; ++i) {
            acc[i] = static_cast<uint32_t>(random.below(600000));
            add[i] = static_cast<uint16_t>(random.next());  // NaN and infinities among them
            scale[i] = static_cast<uint16_t>(random.below(0x7C00));
        }
        const Floats f = random_floats(random, 6);
        Kernels::FilterArgs args{std::ldexp(1.0f, static_cast<int>(random.below(40)) - 20),
                                 std::ldexp(1.0f, static_cast<int>(random.below(40)) - 20),
                                 f[0],
                                 f[1],
                                 f[2],
                                 f[3],
                                 f[4],
                                 f[5]};
        float la[32], lb[32], ea[32], eb[32];
        const uint32_t first = s.filter(acc, add, scale, &args, la, ea);
        args.threshold = la[random.below(32)];
        const uint32_t expected = s.filter(acc, add, scale, &args, la, ea);
        const uint32_t given = v.filter(acc, add, scale, &args, lb, eb);
        expect(expected == given, first);
        for (size_t i = 0; i < 32; ++i) {  // NaN may have another sign or payload
            expect(std::isnan(la[i]) ? std::isnan(lb[i]) : la[i] == lb[i], i);
            expect(std::isnan(ea[i]) ? std::isnan(eb[i]) : ea[i] == eb[i], i);
        }
    }
    end();
}

void check_code_dots(const Kernels& s, const Kernels& v) {
    begin("code dots");
    Random random(905);
    for (size_t n = 0; n <= 16384; n = n < 300 ? n + 1 : n + 1609) {
        for (int kind = 0; kind < 3; ++kind) {
            std::vector<int16_t> query(n);
            for (int16_t& q : query) {
                q = static_cast<int16_t>(kind == 0   ? static_cast<int>(random.below(4095)) - 2047
                                         : kind == 1 ? 2047
                                                     : -2047);
            }
            const Bytes code = kind == 0 ? random_bytes(random, n) : Bytes(n, 255);
            expect(s.dot_u8_i16(at(code), at(query), n) == v.dot_u8_i16(at(code), at(query), n), n);
            const size_t even = n - n % 2;
            expect(
                s.dot_u4_i16(at(code), at(query), even) == v.dot_u4_i16(at(code), at(query), even),
                n);
        }
    }
    end();
}

void check_rotation_steps(const Kernels& s, const Kernels& v) {
    begin("hadamard");
    Random random(906);
    for (size_t n = 1; n <= 16384; n *= 2) {
        for (int round = 0; round < 5; ++round) {
            Floats a = random_floats(random, n), b = a;
            s.hadamard(a.data(), n, 0.123f);
            v.hadamard(b.data(), n, 0.123f);
            expect_bytes(at(a), at(b), n * sizeof(float), n);
        }
    }
    end();
    begin("flips and mix");
    for (size_t n = 0; n <= 200; ++n) {
        const Bytes bits = random_bytes(random, n / 8 + 1);
        Floats a = random_floats(random, n), b = a;
        s.flip_signs(a.data(), at(bits), n);
        v.flip_signs(b.data(), at(bits), n);
        expect_bytes(at(a), at(b), n * sizeof(float), n);
        s.givens_mix(a.data(), n - n % 2);
        v.givens_mix(b.data(), n - n % 2);
        expect_bytes(at(a), at(b), n * sizeof(float), n);
    }
    end();
}

void check_encoding(const Kernels& s, const Kernels& v) {
    begin("residual sums");
    Random random(907);
    for (size_t n = 8; n <= 256; n += 8) {
        for (double scale : {1e-20, 1.0, 1e18}) {
            const Floats z = random_floats(random, n, scale), c = random_floats(random, n, scale);
            const Floats m = random_floats(random, n, scale);
            Bytes x(n / 8), y(n / 8, 255);
            Kernels::ResidualSums p, q;
            for (const float* mean : {at(m), static_cast<const float*>(nullptr)}) {
                s.residual_sums(at(z), at(c), mean, n, x.data(), &p);
                v.residual_sums(at(z), at(c), mean, n, y.data(), &q);
                const double size = scale * static_cast<double>(n);
                expect_bytes(at(x), at(y), n / 8, n);
                expect_near(p.norm2, q.norm2, size * scale * 1e-7, n);
                expect_near(p.absolute, q.absolute, size * 1e-7, n);
                expect_near(p.sign_dot_c, q.sign_dot_c, size * 1e-7, n);
                expect_near(p.dot_c, q.dot_c, size * scale * 1e-7, n);
                expect_near(p.z_norm2, q.z_norm2, size * scale * 1e-7, n);
                expect_near(p.z_dot_m, q.z_dot_m, size * scale * 1e-7, n);
            }
        }
    }
    end();
    begin("quantize");
    for (size_t n = 0; n <= 200; n += 2) {
        for (float factor : {0.0f, 7.9f, 120.0f, 300.0f, 3e9f}) {
            const Floats z = random_floats(random, n);
            Kernels::LevelSums p, q;
            Bytes x(n + 1, 9), y(n + 1, 9);
            s.quantize_u8(at(z), n, factor, x.data(), &p);
            v.quantize_u8(at(z), n, factor, y.data(), &q);
            expect_bytes(at(x), at(y), n + 1, n);
            expect_near(p.z_dot_y, q.z_dot_y, 1e-6, n);
            expect(p.y_norm2 == q.y_norm2, n);
            s.quantize_u4(at(z), n, factor, x.data(), &p);
            v.quantize_u4(at(z), n, factor, y.data(), &q);
            expect_bytes(at(x), at(y), n + 1, n);
            expect_near(p.z_dot_y, q.z_dot_y, 1e-6, n);
            expect(p.y_norm2 == q.y_norm2, n);
        }
    }
    end();
    begin("lookup");
    for (size_t rows = 0; rows <= 200; ++rows) {
        const Floats w = random_floats(random, rows * 4);
        Bytes x(rows * 16), y(rows * 16);
        for (float factor : {31.0f, 45.0f, 200.0f}) {
            s.lookup(at(w), rows, factor, x.data());
            v.lookup(at(w), rows, factor, y.data());
            expect_bytes(at(x), at(y), rows * 16, rows);
        }
    }
    end();
}

void check_gemm(const Kernels& s, const Kernels& v) {
    begin("gemm");
    Random random(908);
    for (size_t rows : {0, 1, 2, 5, 6, 7, 8, 9, 16, 17}) {
        for (size_t columns : {0, 1, 7, 8, 9, 47, 49, 55, 56, 57, 113}) {
            for (size_t depth : {1, 2, 3, 4, 5, 17, 64}) {
                const Floats a = random_floats(random, rows * depth);
                const Floats b = random_floats(random, columns * depth);
                const size_t stride = columns + 2;
                Floats x(rows * stride, 4.0f), y(rows * stride, 4.0f);
                Floats workspace(pagoda::simd::gemm_workspace_floats(depth));
                s.gemm(at(a), rows, at(b), columns, depth, x.data(), stride, workspace.data());
                v.gemm(at(a), rows, at(b), columns, depth, y.data(), stride, workspace.data());
                for (size_t i = 0; i < x.size(); ++i) {
                    expect_near(x[i], y[i], static_cast<double>(depth), depth);
                }
            }
        }
    }
    end();
}

}  // namespace

namespace pagoda {
[[noreturn]] void check_failed(const char* expression, const char* file, int line) {
    std::printf("%s:%d: check failed: %s\n", file, line, expression);
    std::abort();
}
}  // namespace pagoda

int main() {
    const Kernels* scalar = pagoda::simd::kernels_of(pagoda::simd::Level::scalar);
    const Kernels* neon = pagoda::simd::kernels_of(pagoda::simd::Level::neon);
    if (neon == nullptr) {
        std::printf("this build has no NEON kernels\n");
        return 1;
    }
    check_distances(*scalar, *neon);
    check_conversions(*scalar, *neon);
    check_fastscan(*scalar, *neon);
    check_filter(*scalar, *neon);
    check_code_dots(*scalar, *neon);
    check_rotation_steps(*scalar, *neon);
    check_encoding(*scalar, *neon);
    check_gemm(*scalar, *neon);
    std::printf("%s\n", total_wrong == 0 ? "all equal" : "MISMATCH");
    return total_wrong == 0 ? 0 : 1;
}
