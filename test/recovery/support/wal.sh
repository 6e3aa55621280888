# For recovery scripts: the two ways of logging, a table to change, and what must hold afterwards.
# Sourced after tools/cluster.sh.
#
# PAGODA_WAL chooses how servers log: own (pagoda preloaded), generic (not), mixed (own and generic
# in turn, the default).
wal_mode=${PAGODA_WAL:-mixed}

# wal_mode_of ROUND: own or generic.
wal_mode_of() {
    if [ "$wal_mode" != mixed ]; then
        echo "$wal_mode"
    elif [ $(($1 % 2)) -eq 1 ]; then
        echo own
    else
        echo generic
    fi
}

# start_logging MODE NAME [SETTING...]: starts a server that logs in this way. All its records of
# index changes are checked when they are replayed.
start_logging() {
    local mode=$1 name=$2 found
    shift 2
    if [ "$mode" = own ]; then
        server_start "$name" "$@" "shared_preload_libraries = 'pagoda'" \
            "wal_consistency_checking = 'pagoda,generic'"
    else
        server_start "$name" "$@" "shared_preload_libraries = ''" \
            "wal_consistency_checking = 'generic'"
    fi
    found=$(sql "$name" -c "SELECT CASE count(*) WHEN 1 THEN 'own' ELSE 'generic' END
        FROM pg_get_wal_resource_managers() WHERE rm_name = 'pagoda'")
    [ "$found" = "$mode" ] || fail "server $name logs as $found, not as $mode"
}

# starts NAME: whether the server starts at all. The log says why not.
starts() {
    (server_start "$@") >/dev/null 2>&1
}

# create_table NAME ROWS: table t with vectors of 20 dimensions and an index on them.
create_table() {
    sql "$1" -v rows="$2" <<'SQL'
CREATE EXTENSION vector;
CREATE EXTENSION pagoda;
CREATE FUNCTION sample_vector(seed int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((hashint4(seed * 20 + i) % 1000)::real / 1000)::vector
    FROM generate_series(1, 20) AS i $$;
-- Compares an index scan read to its end with the table, in one snapshot.
CREATE FUNCTION compare() RETURNS text LANGUAGE plpgsql SET enable_sort = off AS $$
DECLARE
    found int[];
    expected int[];
BEGIN
    SET LOCAL enable_seqscan = off;
    SELECT array_agg(id) INTO found FROM (SELECT id FROM t ORDER BY v <-> sample_vector(0)) AS s;
    SET LOCAL enable_seqscan = on;
    SET LOCAL enable_indexscan = off;
    SELECT array_agg(id ORDER BY id) INTO expected FROM t;
    IF ARRAY(SELECT unnest(found) ORDER BY 1) IS DISTINCT FROM expected THEN
        RAISE 'index scan: % rows, table: %', cardinality(found), cardinality(expected);
    END IF;
    RETURN cardinality(found) || ' rows';
END $$;
CREATE TABLE t (id int, v vector(20)) WITH (autovacuum_enabled = off);
INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(1, :rows) AS i;
CREATE INDEX t_v ON t USING ivf_rabitq (v);
SQL
}

# insert_rows NAME FIRST LAST
insert_rows() {
    sql "$1" -c "INSERT INTO t SELECT i, sample_vector(i) FROM generate_series($2, $3) AS i"
}

# same_rows NAME [COUNT]: the index has the rows of the table, and there are COUNT of them.
same_rows() {
    local answer
    answer=$(sql "$1" -c "BEGIN ISOLATION LEVEL REPEATABLE READ" -c "SELECT compare()" -c "COMMIT")
    [ -z "${2:-}" ] || [ "$answer" = "$2 rows" ] || fail "$1: $answer, expected $2"
}

# no_bad_replay NAME: no page differed at replay, and no record could not be replayed.
no_bad_replay() {
    if grep -E "inconsistent page|could not replay|PANIC" "$cluster_root/$1/log"; then
        fail "server $1: bad replay"
    fi
}
