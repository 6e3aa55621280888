// What each instruction-set file offers to dispatch.cpp: one function that enters its kernels into
// a table. It must only be called on a machine that has the instructions.
#pragma once

#include "core/simd/kernels.h"

namespace pagoda::simd {

void enter_scalar(Kernels& table);
void enter_scalar_encoding(Kernels& table);

#if defined(__x86_64__)
void enter_distance_avx2(Kernels& table);
void enter_codes_avx2(Kernels& table);
void enter_matrix_avx2(Kernels& table);
void enter_encoding_avx2(Kernels& table);
#endif

#if defined(__aarch64__)
void enter_distance_neon(Kernels& table);
void enter_codes_neon(Kernels& table);
void enter_matrix_neon(Kernels& table);
void enter_encoding_neon(Kernels& table);
#endif

}  // namespace pagoda::simd
