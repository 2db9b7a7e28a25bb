#!/usr/bin/env bash
# Rewrites the checked-in files that a test compares with the code. Look at `git diff` afterwards: it is the change of the
# interface that the commit makes.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cargo build --locked
# By way of a variable, so that a command that fails leaves the old file whole.
schema=$(target/debug/kurso schema)
printf '%s\n' "$schema" >schema.graphql
openapi=$(target/debug/kurso openapi)
printf '%s\n' "$openapi" >openapi.json
UPDATE_SNAPSHOTS=1 cargo test --locked --quiet -p kurso-rest --test api rights::the_checked_in_table
