#!/usr/bin/env bash
# Behind ./dev demo: a private server with PostgreSQL's usual durability, and the tool's demo on it.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/cluster.sh
cluster_open build/release
server_start demo "fsync = on" "autovacuum = on" "shared_buffers = 256MB"
PGHOST=$(server_host demo) build/release/tools/pagoda/pagoda demo "$@"
