# Functions shared by the other scripts: `source "$(dirname "$0")/lib.sh"`. Changes to the project's root.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# debian_package NAME WHY: installs a Debian package as root; otherwise fails and prints what to install.
debian_package() {
    local name=$1 why=$2
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing the Debian package $name: $why."
        { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$name" >/dev/null; } \
            || die "$name is missing ($why) and apt-get could not install it"
    else
        die "$name is missing: $why. Install it, on Debian with: sudo apt-get install $name"
    fi
}
