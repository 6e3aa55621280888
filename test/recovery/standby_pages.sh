#!/usr/bin/env bash
# A standby replays records of ours under mixed load with VACUUM and answers queries meanwhile, each
# index scan as the table of its snapshot. Afterwards its index has the pages of the primary's (hole
# and checksum apart; the LSN counts). Promoted, it goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
cluster_open build/checked
seconds=${PAGODA_SECONDS:-6}
mode=$(wal_mode_of 1)
start_logging "$mode" primary "wal_keep_size = 2GB" "full_page_writes = on"
create_table primary 2000
sql primary -c "CREATE SEQUENCE next_id START 100000"

as_server mkdir "$cluster_root/standby"
(cd "$cluster_root" && as_server "$server_bin/pg_basebackup" -h "$(server_host primary)" \
    -U postgres -D "$cluster_root/standby/data" -R -c fast)
server_start standby "unix_socket_directories = '$cluster_root/standby'" \
    "max_standby_streaming_delay = -1"

cat >"$cluster_root/write.sql" <<'SQL'
INSERT INTO t SELECT i, sample_vector(i) FROM
    (SELECT nextval('next_id')::int AS i FROM generate_series(1, 25)) AS ids;
DELETE FROM t WHERE id IN (SELECT id FROM t TABLESAMPLE SYSTEM (3) LIMIT 20);
SQL
cat >"$cluster_root/compare.sql" <<'SQL'
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT compare();
COMMIT;
SQL
echo "VACUUM (INDEX_CLEANUP on) t;" >"$cluster_root/vacuum.sql"

# load SERVER SCRIPT SESSIONS
load() {
    "$server_bin/pgbench" -n -h "$(server_host "$1")" -f "$cluster_root/$2.sql" -c "$3" \
        -T "$seconds" >"$cluster_root/$2.log" 2>&1
}
load primary write 2 & write=$!
load primary vacuum 1 & vacuum=$!
load standby compare 1 & compare=$!
failed=
for job in write vacuum compare; do
    wait "${!job}" || failed=$job
    echo "$job: $(grep 'transactions actually' "$cluster_root/$job.log" || echo none)"
    if grep -E 'ERROR|FATAL|aborted' "$cluster_root/$job.log"; then failed=$job; fi
done
[ -z "$failed" ] || fail "a session of $failed failed"
sql primary -c "VACUUM (INDEX_CLEANUP on) t"
insert_rows primary 1 200
file=$(sql primary -c "SELECT pg_relation_filepath('t_v')")
rows=$(sql primary -c "SELECT count(*) FROM t")

# The end of the primary's WAL is the checkpoint of its shutdown; what is replayed behind it is
# flushed by the shutdown of the standby.
server_stop primary
end=$(as_server "$server_bin/pg_controldata" "$cluster_root/primary/data" |
    sed -n 's/^Latest checkpoint location: *//p')
for _ in $(seq 600); do
    replayed=$(sql standby -c "SELECT pg_last_wal_replay_lsn() > '$end'")
    [ "$replayed" != t ] || break
    sleep 0.05
done
[ "$replayed" = t ] || fail "the standby does not reach the end of the primary's WAL"
same_rows standby "$rows"
server_stop standby
python3 test/recovery/support/compare_pages.py "$cluster_root/primary/data/$file" \
    "$cluster_root/standby/data/$file" || fail "pages differ"

server_start standby
sql standby -c "SELECT pg_promote()" >/dev/null
insert_rows standby 201 700
sql standby -c "DELETE FROM t WHERE id % 3 = 0"
sql standby -c "VACUUM (INDEX_CLEANUP on) t"
same_rows standby
server_kill standby
server_start standby
same_rows standby
no_bad_replay standby
