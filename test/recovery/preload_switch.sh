#!/usr/bin/env bash
# An index is written with and without `pagoda` in shared_preload_libraries in turn. A server that
# lacks the library but needs it to recover does not start and says what to do; with the library
# back it has every row.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
cluster_open build/checked
start_logging generic switch
create_table switch 1000
rows=1000

# change: inserts, deletes, vacuums; `rows` follows.
change() {
    insert_rows switch $((next + 1)) $((next + 300))
    sql switch -c "DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY id LIMIT 100)"
    sql switch -c "VACUUM (INDEX_CLEANUP on) t"
    next=$((next + 300))
    rows=$((rows + 200))
}
next=1000

# Clean restarts: any order.
for mode in own generic own; do
    server_stop switch
    start_logging "$mode" switch
    change
    same_rows switch "$rows"
    echo "$mode: $rows rows"
done

# After a crash the records of ours need the library.
server_kill switch
if starts switch "shared_preload_libraries = ''" "wal_consistency_checking = 'generic'"; then
    fail "the server replays records of ours without the library"
fi
grep "resource manager with ID" "$cluster_root/switch/log" || fail "no clear message"
grep -q "HINT:.*shared_preload_libraries" "$cluster_root/switch/log" || fail "no hint"
: >"$cluster_root/switch/log"
start_logging own switch
same_rows switch "$rows"
change
same_rows switch "$rows"

# Generic records need nothing, whichever way the server starts.
server_stop switch
start_logging generic switch
change
server_kill switch
start_logging own switch
same_rows switch "$rows"
change
server_kill switch
start_logging own switch
same_rows switch "$rows"
no_bad_replay switch
