#!/usr/bin/env bash
# Formats all C++ files in place, or with --check only tells which ones differ.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
find core pg test tools bench \( -name '*.h' -o -name '*.cpp' \) -print0 |
    xargs -0 -r -n 8 -P "$(nproc)" clang-format-14 "${mode[@]}"
