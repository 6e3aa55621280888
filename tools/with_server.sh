#!/usr/bin/env bash
# with_server.sh COMMAND...: runs a command with a private server that can create both extensions.
# The command finds the server through PGHOST and PGUSER, and its programs first in PATH. Behind
# ./dev demo, bench and psql.
#
# The server has PostgreSQL's usual durability. With PAGODA_PGVECTOR_TREE set (docs/TESTING.md) the
# types are pgvector's, and so are its access methods for comparison.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
cluster_open "$pagoda_source/build/release"
if [ -n "${PAGODA_PGVECTOR_TREE:-}" ]; then
    tree_overlay "$PAGODA_TREE" "${PAGODA_PGVECTOR_TREE%/}"
fi
server_start main "fsync = on" "autovacuum = on" "shared_buffers = ${PAGODA_SHARED_BUFFERS:-512MB}"
PGHOST=$(server_host main)
PATH=$server_bin:$PATH
export PGHOST PATH
"$@"
