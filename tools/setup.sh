#!/usr/bin/env bash
# Installs what Pagoda needs from Debian's packages, after saying what it will do.
#
#   tools/setup.sh base    what a build and a private server need (./dev demo, build, bench)
#   tools/setup.sh all     the same, and what the tests and checks need (./dev test)
#
# Where everything is present it changes nothing and needs no root; otherwise it uses sudo unless it
# runs as root. A PostgreSQL server package that it has to bring in does not create or start a
# system cluster: the tests and the demo run private servers of their own.
set -euo pipefail

base_packages=(
    g++ cmake ninja-build                               # compiler and build
    postgresql-15 postgresql-client-15                  # server, psql, pg_regress
    postgresql-server-dev-15 libpq-dev                  # headers for the extensions and the tool
)
test_packages=(
    libgtest-dev libbenchmark-dev                       # unit tests, micro benchmarks
    clang-format-14 clang-tidy-14 python3               # format, lint, tools/*.py
    make                                                # the packagers' front door
)
# The NEON kernels run under an emulator where the machine is not of that kind.
if [ "$(uname -m)" = x86_64 ]; then
    test_packages+=(g++-aarch64-linux-gnu qemu-user)
fi

missing_packages() {
    local package status
    for package in "$@"; do
        status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || echo "$package"
    done
}

missing_commands() {
    local command
    for command in "$@"; do
        command -v "$command" >/dev/null || echo "$command"
    done
}

# Another system: we cannot install there, only look.
check_commands() {
    local absent
    mapfile -t absent < <(missing_commands c++ cmake ninja pg_config psql setpriv)
    [ ${#absent[@]} -eq 0 ] && return 0
    echo "setup: this system has no dpkg, and these commands are missing: ${absent[*]}" >&2
    echo "setup: install the equivalents of Debian's: ${packages[*]}" >&2
    return 1
}

case "${1:-all}" in
    base) packages=("${base_packages[@]}") ;;
    all) packages=("${base_packages[@]}" "${test_packages[@]}") ;;
    *) echo "usage: tools/setup.sh [base|all]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
    check_commands
    exit
fi
mapfile -t absent < <(missing_packages "${packages[@]}")
[ ${#absent[@]} -gt 0 ] || exit 0

echo "setup: these Debian packages are missing and will be installed, without recommended extras:"
echo "setup:     ${absent[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "setup: neither root nor sudo is at hand; as root, run" >&2
        echo "setup:     apt-get install --no-install-recommends ${absent[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
    echo "setup: sudo may ask for your password."
fi
install_packages() {
    # An interrupted download must not end a test run: ask again.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Acquire::Retries=3 "$@" \
        </dev/null
}
install_packages update

# The server package would create a cluster and start it. Say no for this one installation; where
# the package is present already, nothing is touched.
cluster_rule=/etc/postgresql-common/createcluster.d/pagoda-setup.conf
forbid_system_cluster() {
    "${as_root[@]}" mkdir -p "${cluster_rule%/*}"
    echo "create_main_cluster = false" | "${as_root[@]}" tee "$cluster_rule" >/dev/null
}
if [[ " ${absent[*]} " == *" postgresql-15 "* ]]; then
    echo "setup: no system cluster will be created (a rule in ${cluster_rule%/*}, removed again)."
    trap '"${as_root[@]}" rm -f "$cluster_rule"' EXIT
    forbid_system_cluster
fi
install_packages install -y --no-install-recommends "${absent[@]}"
echo "setup: done."
