#!/usr/bin/env bash
# A replay that makes another page than the server had is caught by wal_consistency_checking: the
# check that the other scripts rely on can fail. Only checked builds can break the replay.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
cluster_open build/checked
start_logging own crash
create_table crash 1000
sql crash -c "CHECKPOINT"
insert_rows crash 1001 1500
server_kill crash

if starts crash "pagoda.debug_break_redo = 200"; then
    fail "the server starts although its replay is broken"
fi
grep -q "FATAL:  inconsistent page found" "$cluster_root/crash/log" ||
    fail "the check did not find the broken page: $(server_log crash)"
grep -E -q "CONTEXT:  WAL redo at .* for pagoda/[A-Z]+: version 1; page 0:" \
    "$cluster_root/crash/log" || fail "the log does not say at which record"

: >"$cluster_root/crash/log"
start_logging own crash "pagoda.debug_break_redo = 0"
same_rows crash 1500
no_bad_replay crash
