#!/usr/bin/env bash
# with-postgres.sh COMMAND...: runs the command with KURSO_TEST_POSTGRES_URL naming a temporary PostgreSQL cluster,
# which is gone when the command ends. A server the caller names in that variable is used as it is.
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: with-postgres.sh COMMAND..." >&2; exit 2; }
[ -z "${KURSO_TEST_POSTGRES_URL:-}" ] || exec "$@"

# The command must run where the caller stands.
caller=$PWD
source "$(dirname "$0")/lib.sh"
cd "$caller"

find_binaries() {
    local found
    if command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
        dirname "$(command -v initdb)"
    else
        # Debian keeps them out of PATH, a folder per major version; the newest wins.
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

# PostgreSQL refuses to run as root, so root hands the cluster to a user that has nothing else to lose.
as_owner=()
folder=$(mktemp -d "${TMPDIR:-/tmp}/kurso-postgres.XXXXXX")
if [ "$(id -u)" = 0 ]; then
    owner=postgres
    getent passwd "$owner" >/dev/null || owner=nobody
    chown "$owner" "$folder"
    as_owner=(runuser -u "$owner" --)
fi

stop() {
    # `immediate`: nothing in there is worth a clean shutdown.
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
CONF
# Durability is switched off: a test cluster that loses its data to a power cut has lost nothing. Measurements keep it.
[ "${KURSO_POSTGRES_DURABLE:-}" = 1 ] || cat >>"$folder/data/postgresql.conf" <<CONF
fsync = off
synchronous_commit = off
full_page_writes = off
CONF

# A port cannot be reserved beforehand, so take another one when somebody was faster.
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
# psql and its like, for a command that wants a database of its own in the cluster.
export PATH="$PATH:$binaries"
"$@"
