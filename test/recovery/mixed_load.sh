#!/usr/bin/env bash
# Sessions insert and delete, VACUUM runs all the time, and others compare index scans read to the
# end with the table of their snapshot: no statement fails, no scan misses a row or returns one
# twice, and the lanes of deleted rows are used again.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
server_start load "max_wal_size = 8GB"
seconds=${PAGODA_SECONDS:-15}

sql load <<'SQL'
CREATE EXTENSION vector;
CREATE EXTENSION pagoda;
CREATE TABLE t (id bigserial, v vector(24)) WITH (autovacuum_enabled = off);
CREATE FUNCTION random_vector() RETURNS vector LANGUAGE sql VOLATILE AS $$
    SELECT array_agg(random() * 2 - 1)::vector FROM generate_series(1, 24) $$;
INSERT INTO t (v) SELECT random_vector() FROM generate_series(1, 3000);
CREATE INDEX t_v ON t USING ivf_rabitq (v);

-- Compares an index scan read to its end with the table, in one snapshot.
CREATE FUNCTION compare() RETURNS void LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
    found bigint[];
    expected bigint[];
BEGIN
    SET LOCAL enable_seqscan = off;
    SELECT array_agg(id) INTO found FROM (SELECT id FROM t ORDER BY v <-> random_vector()) AS s;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_indexscan = off;
    SELECT array_agg(id ORDER BY id) INTO expected FROM t;
    IF ARRAY(SELECT unnest(found) ORDER BY 1) <> expected THEN
        RAISE 'index scan: % rows, table: %', cardinality(found), cardinality(expected);
    END IF;
END $$;
SQL

cat >"$cluster_root/write.sql" <<'SQL'
INSERT INTO t (v) SELECT random_vector() FROM generate_series(1, 20);
DELETE FROM t WHERE id IN (SELECT id FROM t TABLESAMPLE SYSTEM (2) LIMIT 18);
SQL
cat >"$cluster_root/scan.sql" <<'SQL'
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT compare();
COMMIT;
SQL
echo "VACUUM (INDEX_CLEANUP on) t;" >"$cluster_root/vacuum.sql"

# run SCRIPT SESSIONS
run() {
    "$server_bin/pgbench" -n -h "$(server_host load)" -f "$cluster_root/$1.sql" -c "$2" \
        -T "$seconds" >"$cluster_root/$1.log" 2>&1
}
run write 3 & write=$!
run scan 2 & scan=$!
run vacuum 1 & vacuum=$!
failed=
for job in write scan vacuum; do
    wait "${!job}" || failed=$job
    echo "$job: $(grep 'transactions actually' "$cluster_root/$job.log" || echo none)"
    if grep -E 'ERROR|FATAL|aborted' "$cluster_root/$job.log"; then failed=$job; fi
done
[ -z "$failed" ] || fail "a session of $failed failed"

sql load -c "VACUUM (INDEX_CLEANUP on) t"
counts=$(sql load -c "SELECT (SELECT count(*) FROM t), rows, empty_lanes, pages
    FROM pagoda_index_info('t_v')")
echo "rows of the table, of the index, empty lanes, pages: $counts"
IFS='|' read -r table index _ <<<"$counts"
[ "$table" = "$index" ] || fail "the index has $index rows, the table $table"

# How many lanes are empty now depends on how long snapshots held VACUUM back; that they are used
# again does not.
sql load -c "DELETE FROM t WHERE id % 4 = 0" -c "VACUUM (INDEX_CLEANUP on) t"
empty_lanes() {
    sql load -c "SELECT empty_lanes FROM pagoda_index_info('t_v')"
}
before=$(empty_lanes)
sql load -c "INSERT INTO t (v) SELECT random_vector() FROM generate_series(1, 500)"
after=$(empty_lanes)
echo "empty lanes before and after 500 insertions: $before, $after"
[ "$before" -ge 500 ] || fail "VACUUM left only $before empty lanes"
[ "$after" -le $((before - 400)) ] || fail "500 insertions used $((before - after)) empty lanes"
