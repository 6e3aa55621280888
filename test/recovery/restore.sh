#!/usr/bin/env bash
# A base backup that was taken while sessions write, with the archived WAL behind it, gives the
# index as it was at a named point, and again at the end of the WAL.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
cluster_open build/checked
as_server mkdir "$cluster_root/archive"
mode=$(wal_mode_of 1)
start_logging "$mode" origin "archive_mode = on" \
    "archive_command = 'cp %p $cluster_root/archive/%f'"
create_table origin 2000

# Writes go on while the backup is taken.
cat >"$cluster_root/write.sql" <<'SQL'
INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(5001, 5020) AS i;
DELETE FROM t WHERE id IN (SELECT id FROM t ORDER BY id LIMIT 15);
VACUUM (INDEX_CLEANUP on) t;
SQL
"$server_bin/pgbench" -n -h "$(server_host origin)" -f "$cluster_root/write.sql" -c 1 -t 40 \
    >"$cluster_root/write.log" 2>&1 & write=$!
(cd "$cluster_root" && as_server "$server_bin/pg_basebackup" -h "$(server_host origin)" \
    -U postgres -D "$cluster_root/backup" -c fast -X none 2>/dev/null)
wait "$write" || fail "the writer failed: $(cat "$cluster_root/write.log")"

sql origin -c "VACUUM (INDEX_CLEANUP on) t"
insert_rows origin 6001 6500
point=$(sql origin -c "SELECT count(*) FROM t")
sql origin -c "SELECT pg_create_restore_point('here')" >/dev/null
sql origin -c "DELETE FROM t WHERE id % 2 = 0"
sql origin -c "VACUUM (INDEX_CLEANUP on) t"
insert_rows origin 7001 7600
end=$(sql origin -c "SELECT count(*) FROM t")
server_stop origin # archives the rest

# restored NAME ROWS SETTING...
restored() {
    local name=$1 rows=$2
    shift 2
    as_server mkdir "$cluster_root/$name"
    as_server cp -a "$cluster_root/backup" "$cluster_root/$name/data"
    as_server touch "$cluster_root/$name/data/recovery.signal"
    server_start "$name" "unix_socket_directories = '$cluster_root/$name'" "archive_mode = off" \
        "restore_command = 'cp $cluster_root/archive/%f %p'" "recovery_target_action = 'promote'" \
        "$@"
    # The server takes sessions while it still recovers.
    for _ in $(seq 600); do
        [ "$(sql "$name" -c "SELECT pg_is_in_recovery()")" != f ] || break
        sleep 0.05
    done
    same_rows "$name" "$rows"
    insert_rows "$name" 8001 8100
    same_rows "$name" "$((rows + 100))"
    no_bad_replay "$name"
    echo "$name: $rows rows"
}
restored at_point "$point" "recovery_target_name = 'here'"
restored at_end "$end"
