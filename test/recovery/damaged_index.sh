#!/usr/bin/env bash
# Bytes of an index change on disk while the server is down. Scans, insertions and VACUUM say
# index_corrupted (XX002) with the index and the block, or work; the server never goes down, the
# table can always be read, and REINDEX repairs. Random damage comes from a seed that is printed.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
# With checksums on, the server would find the damage before we do.
server_start damage "ignore_checksum_failure = on" "client_min_messages = error"
seed=${PAGODA_SEED:-20261130}
rounds=${PAGODA_ROUNDS:-25}
echo "seed $seed, $rounds rounds"
RANDOM=$seed

sql damage -c "CREATE EXTENSION vector; CREATE EXTENSION pagoda"
sql damage <<'SQL'
CREATE TABLE t (id int, v vector(40));
CREATE FUNCTION sample_vector(seed int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((hashint4(seed * 40 + i) % 1000)::real / 1000)::vector
    FROM generate_series(1, 40) AS i $$;
INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(1, 3000) AS i;
CREATE INDEX t_v ON t USING ivf_rabitq (v) WITH (lists = 12);
INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(3001, 4500) AS i;
DELETE FROM t WHERE id % 3 = 0;
SQL
file=$cluster_root/damage/data/$(sql damage -c "SELECT pg_relation_filepath('t_v')")
server_stop damage
cp "$file" "$cluster_root/whole"
blocks=$(($(stat -c %s "$file") / 8192))

# What the statement ends with: "ok" and its rows, or the SQLSTATE and the message.
outcome() {
    local answer
    if answer=$(sql damage -v VERBOSITY=verbose -c "$1" 2>&1); then
        echo "ok $(tail -n 1 <<<"$answer")"
    else
        grep -m 1 -o 'ERROR:.*' <<<"$answer" || echo "lost: $answer"
    fi
}

scan="SET enable_seqscan = off; SET enable_sort = off;
SELECT count(*) FROM (SELECT id FROM t ORDER BY v <-> sample_vector(0)) AS s"

# overwrite BLOCK OFFSET BYTES: in the whole file, with the server down.
overwrite() {
    cat "$cluster_root/whole" >"$file"
    printf '%b' "$3" | dd of="$file" bs=1 seek=$(($1 * 8192 + $2)) conv=notrunc status=none
}

# damaged TEXT EXPECTED: the scan fails with XX002 and a message that has EXPECTED in it.
damaged() {
    local answer
    server_start damage
    answer=$(outcome "$scan")
    echo "$1: $answer"
    [[ $answer == *XX002* && $answer == *'index "t_v"'*"$2"* ]] || fail "expected XX002 and $2"
    [ "$(sql damage -c "SET enable_indexscan = off; SELECT count(*) FROM t")" = 3000 ] ||
        fail "the table cannot be read"
    server_stop damage
}

ones='\0377\0377\0377\0377\0377\0377\0377\0377'
overwrite 0 8176 '\0\0\0\0'
damaged "magic of the meta page" "block 0: the page magic"
overwrite 0 8184 '\02'
damaged "kind of the meta page" "block 0"
overwrite 0 36 '\01\02\03\04'
damaged "index id in the meta page" "block 0: the index id"
overwrite 0 56 "$ones"
damaged "number of lists" "block 0"
overwrite $((blocks - 1)) 8180 '\01\02\03\04'
damaged "index id of the last page" "block $((blocks - 1)): a page of this index"
cat "$cluster_root/whole" >"$file"
truncate -s $((blocks / 2 * 8192)) "$file"
damaged "half of the file is gone" "block"
cat "$cluster_root/whole" >"$file"
dd if=/dev/zero of="$file" bs=8192 seek=$((blocks / 3)) count=1 conv=notrunc status=none
damaged "a page of zeros" "block $((blocks / 3))"

insert="INSERT INTO t SELECT i, sample_vector(i) FROM generate_series(9001, 9050) AS i"
vacuum="VACUUM (INDEX_CLEANUP on) t"
info="SELECT rows FROM pagoda_index_info('t_v')"

# Eight random bytes at a random place behind the page header: every statement ends by itself.
for round in $(seq "$rounds"); do
    bytes=
    for _ in 1 2 3 4 5 6 7 8; do bytes+=$(printf '\\0%03o' $((RANDOM % 256))); done
    block=$(((RANDOM * 32768 + RANDOM) % blocks))
    [ $((round % 3)) -ne 0 ] || block=$((RANDOM % 5))
    overwrite "$block" $((24 + RANDOM % 8160)) "$bytes"
    server_start damage
    for statement in "$scan" "$insert" "$vacuum" "$info"; do
        answer=$(outcome "$statement")
        case $answer in
            ok* | *XX002* | *0A000*) ;;
            *) fail "round $round, block $block, bytes $bytes: $answer" ;;
        esac
    done
    sql damage -c "SET enable_indexscan = off" -c "DELETE FROM t WHERE id > 9000"
    [ "$(sql damage -c "SET enable_indexscan = off; SELECT count(*) FROM t")" = 3000 ] ||
        fail "round $round: the table cannot be read"
    server_stop damage
done

server_start damage
sql damage -c "REINDEX INDEX t_v"
answer=$(outcome "$scan")
[[ $answer == "ok 3000" ]] || fail "after REINDEX: $answer"
echo "after REINDEX: $answer"
