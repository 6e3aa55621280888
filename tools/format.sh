#!/usr/bin/env bash
# Formats all C++ files in place, or with --check only names the ones that differ.
set -euo pipefail
cd "$(dirname "$0")/.."

files() {
    find core pg test tools bench \( -name '*.h' -o -name '*.cpp' \) -print0
}

if [ "${1:-}" != --check ]; then
    files | xargs -0 -r clang-format-14 -i
    exit
fi
# xargs ends with 123 when any call of the check failed.
files | xargs -0 -r -n 1 -P "$(nproc)" bash -c \
    'clang-format-14 --dry-run -Werror "$1" 2>/dev/null || { echo "to format: $1"; exit 1; }' _ ||
    { echo "run tools/format.sh"; exit 1; }
