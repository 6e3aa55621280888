#!/usr/bin/env bash
# Checks what the linker would let pass: core needs nothing of PostgreSQL, and the modules export
# only what the server looks up by name.
#
# Usage: check_symbols.sh BUILD. A name counts as PostgreSQL's when the server program exports it
# and the C and C++ libraries do not. A module may export the magic block, _PG_init, and each C
# function that its SQL script names, with its pg_finfo_ record.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Names that the server program defines, less weak and library names that any program may have.
server_symbols() {
    local pg_config=${PG_CONFIG:-pg_config}
    nm -D --defined-only "$("$pg_config" --bindir)/postgres" |
        awk '$2 ~ /^[TDBR]$/ { sub(/@.*/, "", $3); print $3 }' | grep -v '^_' | sort -u
}

# check_core LIBRARY: prints the undefined names that the server would resolve.
check_core() {
    nm -A --undefined-only "$1" 2>/dev/null | awk '{ print $NF }' | sort -u >"$scratch/undefined"
    comm -12 "$scratch/undefined" "$scratch/server" |
        sed "s|^|$(basename "$1"): core needs PostgreSQL's |" >"$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}

# check_module LIBRARY SCRIPT...: prints exported names that no SQL script mentions.
check_module() {
    local library=$1
    shift
    nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >"$scratch/exported"
    # A function is named in the script as 'SYMBOL', or by its own name where AS names none.
    { cat "$@" /dev/null | grep -o -E '[A-Za-z_][A-Za-z_0-9]*' | sort -u >"$scratch/words"; } ||
        true
    {
        printf '%s\n' Pg_magic_func _PG_init
        cat "$scratch/words"
        sed 's/^/pg_finfo_/' "$scratch/words"
    } | sort -u >"$scratch/allowed"
    comm -23 "$scratch/exported" "$scratch/allowed" |
        sed "s|^|$(basename "$library"): exports without need |" >"$scratch/found"
    cat "$scratch/found"
    [ ! -s "$scratch/found" ]
}

build=$1
status=0
server_symbols >"$scratch/server"
[ -s "$scratch/server" ] || { echo "no symbols of the server found"; exit 1; }
check_core "$build/libpagoda_core.a" || status=1
for module in "$build"/pg/*.so; do
    [ -f "$module" ] || continue
    name=$(basename "$module" .so)
    check_module "$module" "${PAGODA_SQL:-$root/sql}/$name"--*.sql || status=1
done
[ "$status" -ne 0 ] || echo "symbols: clean"
exit "$status"
