#!/usr/bin/env bash
# The floors of recall and size with default settings on the larger real sets, where they are: in
# the folder PAGODA_DATA_DIR, or in shared/data beside the checkout. Their format is described in
# data/README.md. Without them there is nothing to check, and the test says so.
set -euo pipefail
cd "$(dirname "$0")/../.."
data=${PAGODA_DATA_DIR:-../shared/data}
if [ ! -d "$data" ]; then
    echo "skipped: no folder $data; set PAGODA_DATA_DIR to one that has the larger sets"
    exit 0
fi
. tools/cluster.sh
cluster_open build/checked
server_start recall "shared_buffers = 512MB" "maintenance_work_mem = 256MB"
PGHOST=$(server_host recall)
export PGHOST

status=0
# check_set NAME METRIC MAX-SIZE
check_set() {
    if [ -f "$data/$1_base.npy" ]; then
        build/checked/tools/pagoda/pagoda check recall --data "$data/$1" --metric "$2" \
            --types vector --max-size "$3" || status=1
    else
        echo "skipped: no $1 in $data"
    fi
}
check_set fmnist784 l2 0.3334
check_set wordnet512 cosine 0.3334
check_set glove100 cosine 0.45
exit $status
