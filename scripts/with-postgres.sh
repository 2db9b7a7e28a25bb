#!/usr/bin/env bash
# with-postgres.sh COMMAND...: runs the command with KURSO_TEST_POSTGRES_URL set to a temporary PostgreSQL cluster, which is deleted when the command ends. If
# the variable is already set, that server is used.
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: with-postgres.sh COMMAND..." >&2; exit 2; }
[ -z "${KURSO_TEST_POSTGRES_URL:-}" ] || exec "$@"

# The command runs in the caller's folder.
caller=$PWD
source "$(dirname "$0")/lib.sh"
cd "$caller"

find_binaries() {
    local found
    if command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
        dirname "$(command -v initdb)"
    else
        # Debian has them outside PATH, in one folder per major version; use the newest.
        found=$(ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null | sort -V | tail -n 1)
        [ -z "$found" ] || dirname "$found"
    fi
}

binaries=$(find_binaries)
if [ -z "$binaries" ]; then
    debian_package postgresql "the tests run on PostgreSQL as well as on SQLite"
    binaries=$(find_binaries)
    [ -n "$binaries" ] || die "postgresql is installed, but its initdb is neither in PATH nor in /usr/lib/postgresql"
fi

# The cluster is kept in memory if there is room: each test creates and deletes a database of hundreds of files, and ext4 would take four fifths of
# the CPU time of PostgreSQL for that. Benchmarks stay on the disk.
parent() {
    local free
    free=$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)
    if [ "${KURSO_POSTGRES_DURABLE:-}" != 1 ] && [ -w /dev/shm ] && [ "${free:-0}" -ge $((4 * 1024 * 1024)) ]; then
        echo /dev/shm
    else
        echo "${TMPDIR:-/tmp}"
    fi
}

# PostgreSQL refuses to run as root, so root runs the cluster as an unprivileged user.
as_owner=()
folder=$(mktemp -d "$(parent)/kurso-postgres.XXXXXX")
if [ "$(id -u)" = 0 ]; then
    owner=postgres
    getent passwd "$owner" >/dev/null || owner=nobody
    chown "$owner" "$folder"
    as_owner=(runuser -u "$owner" --)
fi

stop() {
    # `immediate`: the data is thrown away, so no clean shutdown is needed.
    (cd "$folder" && "${as_owner[@]}" "$binaries/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1) || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    printf 'error: no temporary PostgreSQL: %s\n' "$1" >&2
    [ ! -s "$folder/log" ] || tail -n 20 "$folder/log" >&2
    exit 1
}

cd "$folder"
"${as_owner[@]}" "$binaries/initdb" -D "$folder/data" -U kurso --auth=trust --encoding=UTF8 --locale=C.UTF-8 \
    --no-sync >"$folder/initdb.log" 2>&1 || fail "initdb said: $(tail -n 1 "$folder/initdb.log")"
cat >>"$folder/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
max_wal_size = 256MB
CONF
# Tests need no durability, so it is off; benchmarks keep it on.
[ "${KURSO_POSTGRES_DURABLE:-}" = 1 ] || cat >>"$folder/data/postgresql.conf" <<CONF
fsync = off
synchronous_commit = off
full_page_writes = off
CONF

# A port cannot be reserved in advance, so try another one when it is taken.
port=
for _ in $(seq 10); do
    candidate=$((20000 + RANDOM % 12000))
    if "${as_owner[@]}" "$binaries/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 30 -o "-p $candidate" start \
        >/dev/null 2>&1; then
        port=$candidate
        break
    fi
    grep -q 'Address already in use' "$folder/log" 2>/dev/null || break
done
[ -n "$port" ] || fail "the server did not start"
cd "$caller"

export KURSO_TEST_POSTGRES_URL="postgres://kurso@127.0.0.1:$port/postgres"
# psql and other tools, for commands that create a database in the cluster.
export PATH="$PATH:$binaries"
"$@"
