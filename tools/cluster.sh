# Private PostgreSQL servers for tests, demo and benchmarks: a library of shell functions to source.
#
#   . tools/cluster.sh
#   cluster_open [BUILD]            a private folder with an install tree that has our build in it
#   server_start NAME [SETTING...]  creates server NAME at the first call, later starts it again
#   sql NAME [PSQL-OPTION...] -c 'SELECT ...'     rows only, stops at the first error
#   server_stop NAME [MODE]         MODE: fast (default), smart, immediate
#   server_kill NAME                kill -9 of every process of the server
#   fail MESSAGE...                 ends the test as failed
#
# A server listens on a Unix socket in the private folder only, has no fixed port, and is stopped
# and deleted when the script ends, however it ends. PostgreSQL refuses root, so as root servers run
# as the user nobody. Nothing is written to the system's PostgreSQL folders: the tree holds copies
# of the programs and links to the rest, and PostgreSQL finds its files beside its program.
#
# Environment: PAGODA_TREE (use this install tree), PAGODA_KEEP=1 (keep the folder), PG_CONFIG.

if [ -z "${PG_CONFIG:-}" ]; then
    PG_CONFIG=/usr/lib/postgresql/15/bin/pg_config
    [ -x "$PG_CONFIG" ] || PG_CONFIG=pg_config
fi
PG_CONFIG=$(command -v "$PG_CONFIG" || echo "$PG_CONFIG")
pagoda_source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cluster_root=

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# Runs a command as the user that owns the servers.
as_server() {
    if [ "$(id -u)" -eq 0 ]; then
        setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$cluster_root" "$@"
    else
        "$@"
    fi
}

# The folder is in /tmp because a socket's path has room for 107 bytes only.
cluster_open() {
    umask 022
    cluster_root=$(mktemp -d /tmp/pagoda.XXXXXX)
    trap cluster_close EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$cluster_root"
    if [ -z "${PAGODA_TREE:-}" ]; then
        PAGODA_TREE=$cluster_root/tree
        tree_create "$PAGODA_TREE"
        tree_install "$PAGODA_TREE" "${1:-$pagoda_source/build/release}" pagoda vector
    fi
    server_bin=$PAGODA_TREE$("$PG_CONFIG" --bindir)
    export PAGODA_TREE PGUSER=postgres PGDATABASE=postgres
    unset PGPORT PGPASSWORD PGSERVICE PGOPTIONS
}

cluster_close() {
    local status=$? data
    trap - EXIT INT TERM HUP
    for data in "$cluster_root"/*/data; do
        if [ -f "$data/postmaster.pid" ]; then
            server_stop "$(basename "${data%/data}")" immediate || true
        fi
    done
    if [ "${PAGODA_KEEP:-}" = 1 ]; then
        echo "kept: $cluster_root" >&2
    else
        rm -rf "$cluster_root"
    fi
    exit "$status"
}

# tree_create TREE: programs as copies, libraries and shared files as links.
tree_create() {
    local tree=$1 folder
    folder=$("$PG_CONFIG" --bindir)
    mkdir -p "$tree$folder"
    cp -r "$folder/." "$tree$folder/"
    for folder in "$("$PG_CONFIG" --pkglibdir)" "$("$PG_CONFIG" --sharedir)"; do
        mkdir -p "$tree$folder"
        cp -rs "$folder/." "$tree$folder/"
    done
    tree_remove "$tree" pagoda
}

# tree_remove TREE EXTENSION: so that an installed one never mixes with ours.
tree_remove() {
    rm -f "$1$("$PG_CONFIG" --pkglibdir)/$2.so"
    rm -f "$1$("$PG_CONFIG" --sharedir)/extension/$2.control"
    rm -f "$1$("$PG_CONFIG" --sharedir)/extension/$2"--*.sql
}

# tree_install TREE BUILD COMPONENT...
tree_install() {
    local tree=$1 build=$2 component
    shift 2
    for component in "$@"; do
        tree_remove "$tree" "$component"
        DESTDIR=$tree cmake --install "$build" --component "$component" >/dev/null
    done
}

# tree_overlay TREE OTHER: puts the pgvector of another install tree in the place of `vector`.
tree_overlay() {
    local tree=$1 other=$2 lib share
    lib=$("$PG_CONFIG" --pkglibdir)
    share=$("$PG_CONFIG" --sharedir)/extension
    tree_remove "$tree" vector
    cp "$other$lib/vector.so" "$tree$lib/"
    cp "$other$share/vector.control" "$other$share"/vector--*.sql "$tree$share/"
}

# Settings of a test server; the caller's come after these and win.
server_settings() {
    cat <<CONF
listen_addresses = ''
unix_socket_directories = '$1'
fsync = off
shared_buffers = 128MB
max_wal_size = 4GB
max_connections = 40
autovacuum = off
log_line_prefix = '%m [%p] '
CONF
}

server_start() {
    local name=$1 folder=$cluster_root/$1 setting
    shift
    if [ ! -d "$folder/data" ]; then
        server_create "$folder"
    fi
    if [ $# -gt 0 ]; then
        for setting in "$@"; do
            echo "$setting"
        done >>"$folder/data/postgresql.conf"
    fi
    if ! (cd "$cluster_root" && as_server "$server_bin/pg_ctl" -D "$folder/data" -w -t 120 \
        -l "$folder/log" start >"$folder/start.log" 2>&1); then
        cat "$folder/start.log" >&2
        server_log "$name" >&2
        fail "server $name does not start"
    fi
}

# The first server of a run pays for initdb; the others copy its result.
server_create() {
    local folder=$1 template=$cluster_root/template
    if [ ! -d "$template" ]; then
        (cd "$cluster_root" && as_server "$server_bin/initdb" -D "$template" -U postgres \
            --auth=trust --no-locale -E UTF8 -k --no-sync) >"$cluster_root/initdb.log" 2>&1 ||
            { cat "$cluster_root/initdb.log" >&2; fail "initdb"; }
    fi
    as_server mkdir "$folder"
    as_server cp -a "$template" "$folder/data"
    server_settings "$folder" >>"$folder/data/postgresql.conf"
}

server_stop() {
    (cd "$cluster_root" && as_server "$server_bin/pg_ctl" -D "$cluster_root/$1/data" -w -t 60 \
        -m "${2:-fast}" stop >/dev/null)
}

server_log() {
    echo "--- last lines of the log of server $1"
    tail -n "${2:-40}" "$cluster_root/$1/log"
}

server_pid() {
    head -n 1 "$cluster_root/$1/data/postmaster.pid"
}

# As if the machine lost the processes at once. Returns when all are gone, so that a restart finds
# the shared memory free.
server_kill() {
    local postmaster pid pids
    postmaster=$(server_pid "$1")
    pids=$(child_pids "$postmaster")
    kill -9 "$postmaster" $pids 2>/dev/null || true
    for pid in "$postmaster" $pids; do
        while process_runs "$pid"; do
            sleep 0.02
        done
    done
    # The dead postmaster may stay a zombie where nobody reaps it, and would count as running.
    rm -f "$cluster_root/$1/data/postmaster.pid" "$cluster_root/$1"/.s.PGSQL.*.lock
}

child_pids() {
    local status
    for status in /proc/[0-9]*/status; do
        awk -v parent="$1" '/^Pid:/ { pid = $2 } /^PPid:/ { if ($2 == parent) print pid }' \
            "$status" 2>/dev/null || true
    done
}

# A zombie that nobody reaps (no init in a container) counts as gone.
process_runs() {
    local state
    state=$(awk '/^State:/ { print $2 }' "/proc/$1/status" 2>/dev/null) || return 1
    [ -n "$state" ] && [ "$state" != Z ]
}

# PGHOST of a server, for programs other than psql.
server_host() {
    echo "$cluster_root/$1"
}

sql() {
    local name=$1
    shift
    "$server_bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$cluster_root/$name" "$@"
}
