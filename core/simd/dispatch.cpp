// Chooses the kernel table. The choice is made on first use from what the processor reports, and
// may be replaced by force_level. Two threads that race to choose come to the same table.
#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

std::atomic<const Kernels*> current{nullptr};

Kernels scalar_table() {
    Kernels table{};
    table.level = Level::scalar;
    table.name = "scalar";
    enter_scalar(table);
    enter_scalar_encoding(table);
    return table;
}

#if defined(__x86_64__)
// clang 14 does not know this name in __builtin_cpu_supports.
bool has_f16c() {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

// The table of the machine's vector level, or of scalar where there is none.
Kernels vector_table() {
    Kernels table = scalar_table();
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c()) {
        table.level = Level::avx2;
        table.name = "avx2";
        enter_distance_avx2(table);
        enter_codes_avx2(table);
        enter_matrix_avx2(table);
        enter_encoding_avx2(table);
    }
#elif defined(__aarch64__)
    table.level = Level::neon;
    table.name = "neon";
    enter_distance_neon(table);
    enter_codes_neon(table);
    enter_matrix_neon(table);
    enter_encoding_neon(table);
#endif
    return table;
}

const Kernels& best() {
    static const Kernels table = vector_table();
    return table;
}

}  // namespace

const Kernels* kernels_of(Level level) {
    static const Kernels scalar = scalar_table();
    if (level == Level::scalar) return &scalar;
    return best().level == level ? &best() : nullptr;
}

const Kernels& kernels() {
    const Kernels* table = current.load(std::memory_order_acquire);
    if (table == nullptr) {
        table = &best();
        current.store(table, std::memory_order_release);
    }
    return *table;
}

bool force_level(Level level) {
    const Kernels* table = kernels_of(level);
    if (table == nullptr) return false;
    current.store(table, std::memory_order_release);
    return true;
}

}  // namespace pagoda::simd
