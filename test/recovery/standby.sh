#!/usr/bin/env bash
# A hot standby answers from its copy of the index while the primary builds, inserts, deletes and
# vacuums; promoted, it goes on by itself. Commits wait until the standby has applied them
# (remote_apply), so there is nothing to wait for here.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
server_start primary "wal_consistency_checking = 'generic'" "wal_keep_size = 1GB" \
    "synchronous_standby_names = '*'" "synchronous_commit = remote_apply"

sql primary <<'SQL'
SET synchronous_commit = local;
CREATE EXTENSION vector;
CREATE EXTENSION pagoda;
CREATE FUNCTION sample_vector(seed int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((hashint4(seed * 20 + i) % 1000)::real / 1000)::vector
    FROM generate_series(1, 20) AS i $$;
CREATE TABLE t (id int, v vector(20));
INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(1, 2000) AS i;
CREATE INDEX t_v ON t USING ivf_rabitq (v);
SQL

as_server mkdir "$cluster_root/standby"
(cd "$cluster_root" && as_server "$server_bin/pg_basebackup" -h "$(server_host primary)" \
    -U postgres -D "$cluster_root/standby/data" -R -c fast)
server_start standby "unix_socket_directories = '$cluster_root/standby'" \
    "synchronous_standby_names = ''"

# same TEXT: index scans on both servers and the table of the primary have the same rows.
same() {
    local scan table first second
    scan="SET enable_seqscan = off; SET enable_sort = off;
        SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(id)
        FROM (SELECT id FROM t ORDER BY v <-> sample_vector(0)) AS s"
    table=$(sql primary -c "SET enable_indexscan = off;
        SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(id) FROM t WHERE v IS NOT NULL")
    first=$(sql primary -c "$scan")
    second=$(sql standby -c "$scan")
    echo "$1: $table"
    [ "$first" = "$table" ] || fail "$1: the primary's index has $first"
    [ "$second" = "$table" ] || fail "$1: the standby's index has $second"
}

same "copied"
sql primary -c "INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(2001, 4000) AS i"
same "after insertions"
sql primary -c "DELETE FROM t WHERE id % 3 = 0"
sql primary -c "VACUUM (INDEX_CLEANUP on) t"
same "after VACUUM"
sql primary -c "UPDATE t SET v = sample_vector(id + 10000) WHERE id % 5 = 0"
sql primary -c "INSERT INTO t VALUES (5000, NULL)"
same "after updates"
sql primary -c "REINDEX INDEX CONCURRENTLY t_v"
sql primary -c "INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(6001, 6500) AS i"
same "after REINDEX CONCURRENTLY"
[ "$(sql standby -c "SELECT rows FROM pagoda_index_info('t_v')")" = \
    "$(sql primary -c "SELECT rows FROM pagoda_index_info('t_v')")" ] ||
    fail "the indexes hold different numbers of rows"

server_stop primary immediate
sql standby -c "SELECT pg_promote()" >/dev/null
sql standby -c "INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(7001, 7500) AS i"
answer=$(sql standby -c "SET enable_seqscan = off; SET enable_sort = off;
    SELECT count(*) FROM (SELECT id FROM t ORDER BY v <-> sample_vector(0)) AS s")
expected=$(sql standby -c "SET enable_indexscan = off; SELECT count(*) FROM t WHERE v IS NOT NULL")
echo "promoted: $answer rows"
[ "$answer" = "$expected" ] || fail "promoted: expected $expected rows"
if grep -q "inconsistent page" "$cluster_root/standby/log"; then
    fail "replay made another page than the primary"
fi
