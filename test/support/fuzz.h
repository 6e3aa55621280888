// What every fuzzer of fixed length shares: arguments STEPS and SEED, and a seed in every failure.
//
// A fuzzer is `int main(int argc, char** argv) { return run_fuzzer(argc, argv, {...}, step); }`.
// Each step gets random numbers of its own, so a failure is repeated by `fuzzer 1 SEED` with the
// seed that was printed for its step. It is printed for failed checks, sanitizer reports, signals,
// uncaught exceptions and steps that run for too long.
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <unistd.h>

#include "core/base/random.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace pagoda::test {

struct FuzzOptions {
    const char* name;
    uint64_t steps;
    uint64_t seed;
    unsigned step_seconds_max = 20;
};

namespace fuzz_detail {

inline const char* name = "";
inline volatile uint64_t step_seed = 0;

inline void print_seed() {
    char text[200];
    const int length = std::snprintf(text, sizeof(text), "\n%s: failed; repeat with: %s 1 %llu\n",
                                     name, name, static_cast<unsigned long long>(step_seed));
    if (write(STDERR_FILENO, text, static_cast<size_t>(length)) < 0) return;
}

inline void on_signal(int number) {
    print_seed();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace fuzz_detail

// Runs `step(Random&)` options.steps times (or argv[1] times), from options.seed (or argv[2]).
template <class Step>
int run_fuzzer(int argc, char** argv, FuzzOptions options, Step step) {
    const uint64_t steps = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : options.steps;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : options.seed;
    fuzz_detail::name = options.name;
    std::signal(SIGABRT, fuzz_detail::on_signal);
    std::signal(SIGALRM, fuzz_detail::on_signal);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(fuzz_detail::print_seed);
#else
    std::signal(SIGSEGV, fuzz_detail::on_signal);
    std::signal(SIGFPE, fuzz_detail::on_signal);
#endif
    for (uint64_t i = 0; i < steps; i++) {
        fuzz_detail::step_seed = seed + i;
        alarm(options.step_seconds_max);
        Random random(Random(seed + i).next());
        try {
            step(random);
        } catch (const std::exception& exception) {
            std::fprintf(stderr, "uncaught exception: %s\n", exception.what());
            std::abort();
        }
    }
    alarm(0);
    std::printf("%s: %llu steps from seed %llu\n", options.name,
                static_cast<unsigned long long>(steps), static_cast<unsigned long long>(seed));
    return 0;
}

}  // namespace pagoda::test
