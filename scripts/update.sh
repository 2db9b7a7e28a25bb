#!/usr/bin/env bash
# Regenerates the checked-in files that tests compare with the code. Review `git diff` afterwards: it shows the commit's change of the APIs.
set -euo pipefail
source "$(dirname "$0")/lib.sh"

cargo build --locked
# Uses a variable, so that a failing command leaves the old file intact.
schema=$(target/debug/kurso schema)
printf '%s\n' "$schema" >schema.graphql
openapi=$(target/debug/kurso openapi)
printf '%s\n' "$openapi" >openapi.json
UPDATE_SNAPSHOTS=1 cargo test --workspace --locked --quiet --test api rights::the_checked_in_table
