#!/bin/sh
# Builds the kernels and test/neon/neon_check.cpp for AArch64 and runs them under qemu.
# Needs g++-aarch64-linux-gnu and qemu-user; exits 77 (skipped) where they are missing.
# usage: tools/neon_check.sh [BUILD_FOLDER]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
compiler=${AARCH64_CXX:-aarch64-linux-gnu-g++}
emulator=${AARCH64_RUN:-qemu-aarch64}
for program in "$compiler" "$emulator"; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "neon_check: $program is not installed; skipped"
        exit 77
    fi
done

if [ $# -gt 0 ]; then
    folder=$1
    mkdir -p "$folder"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

"$compiler" -std=gnu++20 -O2 -Wall -Wextra -fwrapv -fno-strict-aliasing -ffp-contract=off \
    -static -I"$root" "$root"/core/simd/*.cpp "$root"/test/neon/neon_check.cpp \
    -o "$folder/neon_check"
"$emulator" "$folder/neon_check"
