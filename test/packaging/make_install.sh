#!/usr/bin/env bash
# make install and make install-vector put each component's files below DESTDIR, and the bundled
# vector is refused where another extension of that name is installed. make installcheck runs
# against a server that it did not start.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
stage=$cluster_root/stage
export PG_CONFIG BUILD=build/checked
lib=$stage$("$PG_CONFIG" --pkglibdir)
share=$stage$("$PG_CONFIG" --sharedir)/extension

make install DESTDIR="$stage"
[ -f "$lib/pagoda.so" ] && [ -f "$share/pagoda.control" ] || fail "make install: files are missing"
[ ! -e "$share/vector.control" ] || fail "make install must not install the bundled vector"
make install-vector DESTDIR="$stage"
[ -f "$lib/vector.so" ] && [ -f "$share/vector.control" ] || fail "install-vector: missing files"

# Installing again replaces the file: a server that has mapped the old one keeps it.
before=$(stat -c %i "$lib/vector.so")
ln "$lib/vector.so" "$cluster_root/mapped"
make install-vector DESTDIR="$stage"
[ "$(stat -c %i "$lib/vector.so")" != "$before" ] || fail "a library was overwritten in place"

echo "comment = 'another extension'" >"$share/vector.control"
echo another >"$lib/vector.so"
if make install-vector DESTDIR="$stage"; then
    fail "install-vector wrote over another extension"
fi
[ "$(cat "$lib/vector.so")" = another ] || fail "install-vector changed another extension's library"

server_start check
PGHOST=$(server_host check) make installcheck REGRESS=types_vector || {
    cat build/installcheck/regression.diffs
    fail "installcheck"
}
