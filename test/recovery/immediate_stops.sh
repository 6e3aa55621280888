#!/usr/bin/env bash
# stop -m immediate in the middle of a build and of a VACUUM, at moments that a seed chooses, again
# and again. The server starts, replays what it logged with every page checked, and the index has
# the rows of the table; the index whose build was cut off can be built.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
. test/recovery/support/wal.sh
cluster_open build/checked
seed=${PAGODA_SEED:-20261130}
rounds=${PAGODA_ROUNDS:-2}
echo "seed $seed, $rounds rounds, logging: $wal_mode"
RANDOM=$seed
start_logging "$(wal_mode_of 1)" crash "max_parallel_maintenance_workers = 0"
create_table crash 3000
sql crash -c "CREATE TABLE big (id int, v vector(20));
    INSERT INTO big SELECT i, sample_vector(i) FROM generate_series(1, 40000) AS i"
next=10000

# interrupt STATEMENT MILLISECONDS: the server stops while the statement runs, or just after it.
# `outcome` says which.
interrupt() {
    PGOPTIONS="-c vacuum_cost_delay=1 -c vacuum_cost_limit=10" \
        sql crash -c "$1" >/dev/null 2>&1 &
    # Not a wait for something to happen: the moment of the stop is meant to be arbitrary.
    sleep "$(awk -v ms="$2" 'BEGIN { print ms / 1000 }')"
    server_stop crash immediate
    if wait $!; then outcome=ended; else outcome=interrupted; fi
}

stops=0
interrupted=0
for round in $(seq "$rounds"); do
    mode=$(wal_mode_of "$round")
    [ "$round" -eq 1 ] || { server_stop crash && start_logging "$mode" crash; }
    insert_rows crash $((next + 1)) $((next + 400))
    sql crash -c "DELETE FROM t WHERE id % 4 = $((round % 4))"
    next=$((next + 400))
    rows=$(sql crash -c "SELECT count(*) FROM t")

    interrupt "VACUUM (INDEX_CLEANUP on) t" $((RANDOM % 150 + 50))
    vacuum=$outcome
    start_logging "$mode" crash
    same_rows crash "$rows"

    interrupt "CREATE INDEX big_v ON big USING ivf_rabitq (v)" $((RANDOM % 400 + 50))
    build=$outcome
    start_logging "$mode" crash
    same_rows crash "$rows"
    sql crash -c "SET client_min_messages = warning; DROP INDEX IF EXISTS big_v"

    echo "round $round ($mode): VACUUM $vacuum, build $build, $rows rows"
    stops=$((stops + 2))
    [ "$vacuum" = ended ] || interrupted=$((interrupted + 1))
    [ "$build" = ended ] || interrupted=$((interrupted + 1))
done
sql crash -c "CREATE INDEX big_v ON big USING ivf_rabitq (v)"
sql crash -c "VACUUM (INDEX_CLEANUP on) t"
same_rows crash "$rows"
no_bad_replay crash
echo "$stops stops, $interrupted in the middle of a statement"
[ "$interrupted" -gt 0 ] || fail "the stops come too late"
