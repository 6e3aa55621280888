#!/usr/bin/env bash
# Builds and changes that are logged in other ways than by records of their own: unlogged tables,
# builds right before a crash, tables made and filled in one transaction under wal_level = minimal.
# After kill -9 the server starts and every index answers as its table.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
server_start crash "fsync = on" "wal_level = minimal" "max_wal_senders = 0" \
    "wal_skip_threshold = 64kB" "wal_consistency_checking = 'generic'"

sql crash -c "CREATE EXTENSION vector; CREATE EXTENSION pagoda"
sql crash <<'SQL'
CREATE FUNCTION sample_vector(seed int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((hashint4(seed * 20 + i) % 1000)::real / 1000)::vector
    FROM generate_series(1, 20) AS i $$;
SQL

# rows TABLE COUNT: the index scan returns this many different rows.
rows() {
    local answer
    answer=$(sql crash -c "SET enable_seqscan = off; SET enable_sort = off;
        SELECT count(*) || ' ' || count(DISTINCT id)
        FROM (SELECT id FROM $1 ORDER BY v <-> sample_vector(0)) AS s")
    echo "$1: $answer"
    [ "$answer" = "$2 $2" ] || fail "$1: expected $2"
}

fill="SELECT i, sample_vector(i) FROM generate_series(1, 2000) AS i"
sql crash <<SQL
CREATE UNLOGGED TABLE unlogged (id int, v vector(20));
CREATE INDEX ON unlogged USING ivf_rabitq (v);
INSERT INTO unlogged $fill;
CREATE UNLOGGED TABLE was_unlogged (id int, v vector(20));
CREATE INDEX ON was_unlogged USING ivf_rabitq (v);
INSERT INTO was_unlogged $fill;
ALTER TABLE was_unlogged SET LOGGED;
CREATE TABLE built (id int, v vector(20));
INSERT INTO built $fill;
CREATE TABLE empty (id int, v vector(20));
CREATE INDEX ON empty USING ivf_rabitq (v);
CHECKPOINT;
BEGIN;
CREATE TABLE same (id int, v vector(20));
INSERT INTO same $fill;
CREATE INDEX ON same USING ivf_rabitq (v);
INSERT INTO same SELECT id + 2000, v FROM same;
COMMIT;
BEGIN;
CREATE TABLE small (id int, v vector(20));
CREATE INDEX ON small USING ivf_rabitq (v);
INSERT INTO small $fill LIMIT 10;
COMMIT;
BEGIN;
TRUNCATE built;
INSERT INTO built $fill;
COMMIT;
CREATE INDEX ON built USING ivf_rabitq (v);
INSERT INTO built SELECT id + 2000, v FROM built LIMIT 300;
DELETE FROM built WHERE id % 2 = 0;
VACUUM (INDEX_CLEANUP on) built;
INSERT INTO empty $fill LIMIT 100;
SQL
rows unlogged 2000
built=$(sql crash -c "SELECT count(*) FROM built")
server_kill crash
server_start crash
rows unlogged 0
rows was_unlogged 2000
rows same 4000
rows small 10
rows built "$built"
rows empty 100

# What came back can be written to and crash again.
for table in unlogged was_unlogged same small built empty; do
    sql crash -c "INSERT INTO $table
        SELECT i, sample_vector(i) FROM generate_series(10001, 10050) AS i"
done
server_kill crash
server_start crash
rows unlogged 0
rows was_unlogged 2050
rows same 4050
rows small 60
rows built "$((built + 50))"
rows empty 150
if grep -q "inconsistent page" "$cluster_root/crash/log"; then
    fail "replay made another page than the server"
fi
