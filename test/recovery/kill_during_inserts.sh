#!/usr/bin/env bash
# kill -9 of the whole server while two sessions insert into an indexed table, again and again.
# After each restart an index scan read to its end returns the non-NULL rows that a sequential scan
# returns, each once; at the end recall@10 is that of a fresh index minus 0.01 at worst. The rounds
# log by records of ours and by generic WAL in turn (PAGODA_WAL, test/recovery/support/wal.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
build=${PAGODA_BUILD:-build/checked}
cluster_open "$build"
start_logging "$(wal_mode_of 1)" crash "fsync = on" "shared_buffers = 64MB" \
    "maintenance_work_mem = 128MB" "autovacuum = on" "autovacuum_naptime = 1s"
PGHOST=$(server_host crash)
export PGHOST
seed=${PAGODA_SEED:-20261130}
rounds=${PAGODA_ROUNDS:-4}
echo "seed $seed, $rounds rounds, logging: $wal_mode"
RANDOM=$seed

sql crash -c "CREATE EXTENSION vector; CREATE EXTENSION pagoda"
"$build/tools/pagoda/pagoda" load --table source --rows 12000 --plain >/dev/null
sql crash <<'SQL'
CREATE TABLE t (id int, v vector(512));
INSERT INTO t SELECT id, v FROM source WHERE id < 3000;
INSERT INTO t SELECT -id - 1, NULL FROM source WHERE id < 50;
CREATE INDEX t_v ON t USING ivf_rabitq (v vector_cosine_ops);
CREATE SEQUENCE next_id START 3000;
-- One short transaction a call; now and then a deletion, so that VACUUM has work.
CREATE PROCEDURE load_rows(calls int) LANGUAGE plpgsql AS $$
DECLARE first int;
BEGIN
    FOR i IN 1..calls LOOP
        first := nextval('next_id') ;
        INSERT INTO t SELECT id, v FROM source WHERE id = first;
        IF i % 20 = 0 THEN DELETE FROM t WHERE id = first - 500; END IF;
        COMMIT;
    END LOOP;
END $$;
SQL

# Every row of the table that has a vector, through the index and not.
check_rows() {
    sql crash <<'SQL'
SET enable_indexscan = off;
CREATE TEMP TABLE by_table AS SELECT id FROM t WHERE v IS NOT NULL;
SET enable_indexscan = on;
SET enable_seqscan = off;
SET enable_sort = off;
CREATE TEMP TABLE by_index AS
    SELECT id FROM (SELECT id FROM t ORDER BY v <=> (SELECT v FROM source WHERE id = 7)) ordered;
SELECT CASE WHEN missing = 0 AND extra = 0 AND twice = 0 THEN 'same ' || total
            ELSE format('missing %s, extra %s, twice %s', missing, extra, twice) END
FROM (SELECT (SELECT count(*) FROM (TABLE by_table EXCEPT TABLE by_index) m) AS missing,
             (SELECT count(*) FROM (TABLE by_index EXCEPT TABLE by_table) e) AS extra,
             (SELECT count(*) - count(DISTINCT id) FROM by_index) AS twice,
             (SELECT count(*) FROM by_table) AS total) counts;
SQL
}

# The share of exact neighbours of 100 rows that the index finds.
recall() {
    sql crash <<'SQL'
SET enable_indexscan = off;
CREATE TEMP TABLE exact AS
    SELECT q.id AS query, n.id FROM (SELECT * FROM source WHERE id % 120 = 1) q,
        LATERAL (SELECT id FROM t ORDER BY v <=> q.v LIMIT 10) n;
SET enable_indexscan = on;
SET enable_seqscan = off;
CREATE TEMP TABLE found AS
    SELECT q.id AS query, n.id FROM (SELECT * FROM source WHERE id % 120 = 1) q,
        LATERAL (SELECT id FROM t ORDER BY v <=> q.v LIMIT 10) n;
SELECT round((SELECT count(*) FROM exact JOIN found USING (query, id))::numeric /
             (SELECT count(*) FROM exact), 4);
SQL
}

plan=$(sql crash -c "SET enable_seqscan = off" \
    -c "EXPLAIN (COSTS OFF) SELECT id FROM t ORDER BY v <=> (SELECT v FROM source WHERE id = 7)")
[[ $plan == *"Index Scan using t_v"* ]] || fail "the check does not use the index: $plan"

for round in $(seq "$rounds"); do
    mode=$(wal_mode_of "$round")
    if [ "$round" -gt 1 ] && [ "$wal_mode" = mixed ]; then
        server_stop crash
        start_logging "$mode" crash
    fi
    for session in 1 2; do
        (sql crash -c "CALL load_rows(100000)" >/dev/null 2>&1 || true) &
    done
    # Not a wait for something to happen: the moment of the crash is meant to be arbitrary.
    sleep "0.$((RANDOM % 900 + 100))"
    server_kill crash
    wait
    start_logging "$mode" crash
    result=$(check_rows)
    echo "round $round ($mode): $result"
    [[ $result == same* ]] || fail "round $round: $result"
done

inserted=$(sql crash -c "SELECT count(*) FROM t WHERE id >= 3000")
[ "$inserted" -gt 100 ] || fail "only $inserted rows were inserted before the crashes"
grown=$(recall)
sql crash -c "REINDEX INDEX t_v"
fresh=$(recall)
echo "recall@10 after $inserted inserts and $rounds crashes: $grown, of a fresh index: $fresh"
awk -v grown="$grown" -v fresh="$fresh" 'BEGIN { exit !(grown >= fresh - 0.01) }' ||
    fail "recall $grown is more than 0.01 below $fresh"
no_bad_replay crash
