// Settings: values, checks and their registration.
#include "pg/settings.h"

#include "core/simd/kernels.h"
#include "pg/backend.h"
#include "pg/interrupts.h"

namespace pagoda {

int setting_probes = -1;
double setting_epsilon = -1;

static constexpr int simd_auto = -1;
static int setting_simd_level = simd_auto;

static const config_enum_entry simd_levels[] = {
    {"auto", simd_auto, false},
    {"scalar", static_cast<int>(simd::Level::scalar), false},
    {"avx2", static_cast<int>(simd::Level::avx2), false},
    {"neon", static_cast<int>(simd::Level::neon), false},
    {nullptr, 0, false},
};

static bool check_probes(int* value, void**, GucSource) {
    if (*value != 0) return true;
    GUC_check_errdetail("Use -1 for automatic or a number of lists from 1.");
    return false;
}

static bool check_epsilon(double* value, void**, GucSource) {
    if (*value == -1 || *value >= 0) return true;
    GUC_check_errdetail("Use -1 for automatic or a number from 0 to 10.");
    return false;
}

static bool check_simd_level(int* value, void**, GucSource) {
    if (*value == simd_auto) return true;
    if (simd::kernels_of(static_cast<simd::Level>(*value)) != nullptr) return true;
    GUC_check_errdetail("This machine does not have the instruction set.");
    return false;
}

static void assign_simd_level(int value, void*) {
    if (value != simd_auto) {
        simd::force_level(static_cast<simd::Level>(value));
        return;
    }
    for (simd::Level level : {simd::Level::avx2, simd::Level::neon, simd::Level::scalar}) {
        if (simd::force_level(level)) return;
    }
}

static void define_search_settings() {
    DefineCustomIntVariable(
        "pagoda.probes", "Number of lists that an ivf_rabitq scan visits first.",
        "-1 uses what the build of the index has learnt. A scan that is read "
        "further goes on to the other lists.",
        &setting_probes, -1, -1, 1000000, PGC_USERSET, 0, check_probes, nullptr, nullptr);
    DefineCustomRealVariable("pagoda.epsilon", "Width of the error bound of an ivf_rabitq scan.",
                             "In standard deviations of the estimate; larger values refine more "
                             "candidates. -1 uses the value of the index.",
                             &setting_epsilon, -1, -1, 10, PGC_USERSET, 0, check_epsilon, nullptr,
                             nullptr);
}

static void define_developer_settings() {
    DefineCustomEnumVariable("pagoda.simd_level",
                             "Instruction set that searches and builds use, for tests.", nullptr,
                             &setting_simd_level, simd_auto, simd_levels, PGC_USERSET,
                             GUC_NOT_IN_SAMPLE, check_simd_level, assign_simd_level, nullptr);
    DefineCustomIntVariable(
        "pagoda.debug_cancel_at_check", "Cancels at this interrupt check, for tests.",
        "Checks are counted from the moment of setting; 0 turns it off.", &debug_cancel_at_check, 0,
        0, INT_MAX, PGC_USERSET, GUC_NOT_IN_SAMPLE | GUC_NO_SHOW_ALL, nullptr,
        reset_interrupt_checks, nullptr);
}

void define_settings() {
    define_search_settings();
    define_developer_settings();
    MarkGUCPrefixReserved("pagoda");
}

}  // namespace pagoda
