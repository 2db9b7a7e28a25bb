#!/bin/sh
# Draws every *.svg here into ../src/images/*.png at twice its size.
# Needs Chromium and the ParaType fonts (Debian: chromium, fonts-paratype). Names given as arguments limit the run.
set -eu
cd "$(dirname "$0")"
chromium=${CHROMIUM:-chromium}
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
mkdir -p ../src/images
[ $# -gt 0 ] || set -- *.svg
for drawing in "$@"; do
    name=${drawing%.svg}
    size=$(sed -n 's/.*<svg [^>]*width="\([0-9]*\)" height="\([0-9]*\)".*/\1,\2/p' "$name.svg")
    "$chromium" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$profile" --hide-scrollbars \
        --default-background-color=00000000 --force-device-scale-factor=2 --window-size="$size" \
        --screenshot="$(pwd)/../src/images/$name.png" "file://$(pwd)/$name.svg" 2>/dev/null
    echo "$name.png"
done
