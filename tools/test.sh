#!/usr/bin/env bash
# The test ladder behind ./dev test: cheap checks first, each step before the next.
#
# A check is one program with its output in build/test/NAME.log; the output is shown when it fails.
# Suites find their files by pattern (docs/TESTING.md), so a new test joins by being added. The last
# line counts checks: programs of the unit and fuzz suites, single tests of the server suites.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/cluster.sh

all_suites=(tidy build lint unit fuzz regress isolation recovery recall packaging)

usage() {
    cat <<TEXT
usage: ./dev test [SUITE [NAME...]]

  tidy        file rules, layering, formatting; tests of those checks themselves
  build       builds build/dev (sanitizers) and build/checked (what servers load)
  lint        clang-tidy, and the symbols of core and of the modules
  unit        unit and golden tests under sanitizers     fuzz    fuzzers with fixed seeds
  regress     pg_regress, with the bundled vector and again with pgvector where it is found
  isolation   concurrent sessions                        recovery    crashes
  recall      recall floors in the server                packaging   make install, installcheck

NAME: run only the files so named of regress, isolation, recovery or recall.
PAGODA_PGVECTOR_TREE: an install tree (DESTDIR) with pgvector, for the second pass of regress.
PAGODA_KEEP=1 keeps the servers' folder.
TEXT
}

passed=0
failed=0
failures=()
logs=build/test
mkdir -p "$logs"

# report NAME SECONDS STATUS LOG
report() {
    if [ "$3" -eq 0 ]; then
        passed=$((passed + 1))
        printf 'ok      %-44s %4s s\n' "$1" "$2"
        return
    fi
    failed=$((failed + 1))
    failures+=("$1")
    printf 'FAILED  %-44s %4s s\n' "$1" "$2"
    grep -v -E '^(\[[0-9]+/[0-9]+\] |-- )' "$4" | tail -n 150 | sed 's/^/    /' || true
}

# Most seconds of one step. The build of an empty folder on a busy machine takes longest.
step_seconds=1200

# run LOG COMMAND...: no standard input, bounded time; the whole process group ends at a time-out.
# It runs in the background, so that Ctrl-C is heard at once and passed on.
running=
run() {
    local log=$1 status=0
    shift
    timeout -k 30 "$step_seconds" "$@" >"$log" 2>&1 </dev/null &
    running=$!
    wait "$running" || status=$?
    running=
    [ "$status" -ne 124 ] || echo "no end after $step_seconds s" >>"$log"
    return "$status"
}

interrupted() {
    trap - INT TERM HUP
    if [ -n "$running" ]; then
        kill "$running" || true
        wait "$running" || true
    fi
    exit 130
}

# check NAME COMMAND...: counts one check.
check() {
    local name=$1 log=$logs/${1//[^a-zA-Z0-9_.-]/_}.log start=$SECONDS status=0
    shift
    run "$log" "$@" || status=$?
    report "$name" $((SECONDS - start)) "$status" "$log"
    return "$status"
}

suite_tidy() {
    check "tidy: file rules and layering" python3 tools/tidy.py || true
    check "tidy: formatting" bash tools/format.sh --check || true
    local file
    for file in test/tools/*_test.py; do
        check "tools: $(basename "$file" .py)" python3 "$file" || true
    done
    for file in test/tools/*_test.sh; do
        check "tools: $(basename "$file" .sh)" bash "$file" || true
    done
}

# build_preset PRESET TARGET
build_preset() {
    cmake --preset "$1" -DPG_CONFIG="$PG_CONFIG" ${CI:+-DPAGODA_WERROR=ON} &&
        cmake --build "build/$1" -j "$(nproc)" --target "$2"
}
export -f build_preset

suite_build() {
    check "build: dev (sanitizers)" bash -c 'build_preset dev pagoda_tests' || stop_early
    check "build: checked (servers)" bash -c 'build_preset checked pagoda_product' || stop_early
}

# Nothing after a failed build could say anything.
stop_early() {
    spent[build]=$((SECONDS - started))
    finish
}

suite_lint() {
    check "lint: clang-tidy" python3 tools/clang_tidy.py build/dev || true
    check "lint: symbols" bash tools/check_symbols.sh build/checked || true
}

# Counts each program that ctest runs.
ctest_suite() {
    local label=$1 log=$logs/$1.log start=$SECONDS status=0 line result name
    run "$log" ctest --test-dir build/dev -L "^$label\$" -j "$(nproc)" --output-on-failure \
        --no-tests=error || status=$?
    if ! grep -q '^ *[0-9]*/[0-9]* Test' "$log"; then
        report "$label" $((SECONDS - start)) 1 "$log"
        return
    fi
    while read -r line; do
        name=$(sed -E 's/.*Test +#[0-9]+: ([^ ]+).*/\1/' <<<"$line")
        result=0
        [[ $line == *" Passed "* ]] || result=1
        report "$label: $name" "$(sed -E 's/.* ([0-9]+)\.[0-9]+ sec.*/\1/' <<<"$line")" \
            "$result" /dev/null
    done < <(grep '^ *[0-9]*/[0-9]* Test' "$log")
    [ "$status" -eq 0 ] || sed 's/^/    /' "$log"
}

suite_unit() {
    ctest_suite unit
    if [ "$(uname -m)" = x86_64 ]; then
        check "unit: neon kernels, emulated" sh tools/neon_check.sh build/neon || true
    fi
}
suite_fuzz() { ctest_suite fuzz; }

# --- server suites

# Opens the private folder once for all server suites and exports the tree to the scripts.
open_servers() {
    [ -z "$cluster_root" ] || return 0
    cluster_open build/checked
    trap interrupted INT TERM HUP
    regress_programs=$(dirname "$("$PG_CONFIG" --pgxs)")/../test
}

# chosen FILE: whether the command line asks for this file.
chosen() {
    local name
    [ ${#names[@]} -gt 0 ] || return 0
    for name in "${names[@]}"; do
        [ "$name" != "$(basename "${1%.*}")" ] || return 0
    done
    return 1
}

# List of the chosen tests of a folder, types first because everything else stands on them.
list_tests() {
    local file
    for file in "$1"/types_*."$2" "$1"/*."$2"; do
        if [ -f "$file" ] && chosen "$file"; then
            basename "$file" ".$2"
        fi
    done | awk '!seen[$0]++'
}

# pg_suite LABEL PROGRAM INPUT KIND SERVER OPTION...: runs pg_regress or pg_isolation_regress.
# A test without an expected file counts as failed, with its output shown.
pg_suite() {
    local label=$1 program=$2 input=$3 kind=$4 server=$5 out start=$SECONDS status=0 line tests
    shift 5
    mapfile -t tests < <(list_tests "$input/$kind" "${kind%s}")
    if [ ${#tests[@]} -eq 0 ]; then
        echo "--      $label: no tests here"
        return
    fi
    out=$logs/$label
    rm -rf "$out"
    mkdir -p "$out/input/expected"
    cp -r "$input/$kind" "$out/input/"
    [ ! -d "$input/expected" ] || cp -r "$input/expected" "$out/input/"
    for line in "${tests[@]}"; do
        [ -f "$out/input/expected/$line.out" ] || : >"$out/input/expected/$line.out"
    done
    run "$out/log" "$program" --inputdir="$out/input" --outputdir="$out" \
        --bindir="$server_bin" --host="$(server_host "$server")" --user=postgres \
        --dbname="pagoda_$server" "$@" "${tests[@]}" || status=$?
    while read -r line; do
        count_pg_line "$label" "$line"
    done < <(grep -E '^test .* \.\.\. |^(not )?ok ' "$out/log")
    if [ "$status" -ne 0 ]; then
        if ! grep -q -E '^test .*FAILED|^not ok' "$out/log"; then
            report "$label: $(basename "$program")" $((SECONDS - start)) 1 "$out/log"
        fi
        [ ! -f "$out/regression.diffs" ] || sed 's/^/    /' "$out/regression.diffs" | head -n 400
        server_log "$server" | sed 's/^/    /'
    fi
}

# One line of pg_regress: "test NAME ... ok 12 ms" or "test NAME ... FAILED 12 ms".
count_pg_line() {
    local name status=0 milliseconds
    name=$(awk '{ print $2 }' <<<"$2")
    milliseconds=$(sed -nE 's/.* ([0-9]+) ms.*/\1/p' <<<"$2")
    [[ $2 == *" ok "* ]] || status=1
    report "$1: $name" $((${milliseconds:-0} / 1000)) "$status" /dev/null
}

# Where pgvector is: a given tree, or installed in this server.
pgvector_tree() {
    local lib share
    lib=$("$PG_CONFIG" --pkglibdir)/vector.so
    share=$("$PG_CONFIG" --sharedir)/extension/vector.control
    if [ -f "${PAGODA_PGVECTOR_TREE:-/nowhere}$lib" ]; then
        echo "$PAGODA_PGVECTOR_TREE"
    elif [ -f "$lib" ] && [ -f "$share" ] && ! grep -q Pagoda "$share"; then
        echo /
    fi
}

suite_regress() {
    open_servers
    server_start regress
    pg_suite regress "$regress_programs/regress/pg_regress" test/regress sql regress
    server_stop regress
    local other tree=$cluster_root/tree_pgvector
    other=$(pgvector_tree)
    if [ -z "$other" ]; then
        echo "--      regress with pgvector: skipped, it is not installed (docs/TESTING.md)"
        return
    fi
    cp -a "$PAGODA_TREE" "$tree"
    tree_overlay "$tree" "${other%/}"
    server_bin=$tree$("$PG_CONFIG" --bindir)
    server_start pgvector
    pg_suite regress_pgvector "$regress_programs/regress/pg_regress" test/regress sql pgvector
    server_stop pgvector
    server_bin=$PAGODA_TREE$("$PG_CONFIG" --bindir)
}

suite_isolation() {
    open_servers
    server_start isolation
    pg_suite isolation "$regress_programs/isolation/pg_isolation_regress" test/isolation specs \
        isolation --load-extension=vector --load-extension=pagoda
    server_stop isolation
}

# script_suite FOLDER: every script is one check; it opens servers of its own from our tree.
script_suite() {
    local name
    open_servers
    if [ -z "$(list_tests "test/$1" sh)" ]; then
        echo "--      $1: no tests here"
        return
    fi
    for name in $(list_tests "test/$1" sh); do
        check "$1: $name" bash "test/$1/$name.sh" || true
    done
}

suite_recovery() { script_suite recovery; }
suite_recall() { script_suite recall; }
suite_packaging() { script_suite packaging; }

# --- budget and end

declare -A budget_of=([build]=360 [lint]=240 [unit]=240 [server]=540)
declare -A spent=([build]=0 [lint]=0 [unit]=0 [server]=0)

group_of() {
    case $1 in
        build) echo build ;;
        tidy | lint) echo lint ;;
        unit | fuzz) echo unit ;;
        *) echo server ;;
    esac
}

finish() {
    local group note
    echo
    for group in build lint unit server; do
        [ "${spent[$group]}" -gt 0 ] || continue
        note=
        [ "${spent[$group]}" -le "${budget_of[$group]}" ] || note="  OVER BUDGET"
        printf 'time    %-8s %4d s of %4d s%s\n' "$group" "${spent[$group]}" \
            "${budget_of[$group]}" "$note"
    done
    [ ${#failures[@]} -eq 0 ] || printf 'failed: %s\n' "${failures[@]}"
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

names=()
suites=()
for word in "$@"; do
    if [[ " ${all_suites[*]} " == *" $word "* ]]; then
        suites+=("$word")
    elif [ "$word" = -h ] || [ ${#suites[@]} -eq 0 ]; then
        usage
        [ "$word" = -h ]
        exit
    else
        names+=("$word")
    fi
done
[ ${#suites[@]} -gt 0 ] || suites=("${all_suites[@]}")

trap interrupted INT TERM HUP
bash tools/setup.sh all
PG_CONFIG=$(command -v "$PG_CONFIG") # may have come with set-up
export PG_CONFIG
# A part needs its build; ninja makes it a matter of seconds where nothing changed.
if [[ " ${suites[*]} " != *" build "* ]] && [ "${suites[*]}" != tidy ]; then
    suites=(build "${suites[@]}")
fi
for suite in "${suites[@]}"; do
    echo "== $suite"
    started=$SECONDS
    "suite_$suite"
    group=$(group_of "$suite")
    spent[$group]=$((spent[$group] + SECONDS - started))
done
finish
