#!/usr/bin/env bash
# `make dist`: builds an archive for any Linux with a recent glibc, a Debian package, and their checksums in target/dist. The output is reproducible: it
# depends on neither the clock nor the user.
#   KURSO_DIST_BINARY   default: target/release/kurso
#   KURSO_DIST_VERSION  default: that of Cargo.toml; the tests upgrade to the next one
#   KURSO_DIST_OUT      default: target/dist
#   KURSO_DIST_QUICK=1  compress for speed instead of size, for the tests
set -euo pipefail
source "$(dirname "$0")/lib.sh"

binary=${KURSO_DIST_BINARY:-target/release/kurso}
version=${KURSO_DIST_VERSION:-$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)}
out=${KURSO_DIST_OUT:-target/dist}
quick=${KURSO_DIST_QUICK:-}
[ -x "$binary" ] || die "there is no $binary: make build, or name one in KURSO_DIST_BINARY"
command -v dpkg-deb >/dev/null || die "dpkg-deb is missing: the Debian package is made with it, on Debian or with its package dpkg"

# The modification time of all packaged files: that of the last commit.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022

glibc=$(scripts/glibc.sh "$binary")
promised=$(sed -n 's/.*glibc \([0-9.]*[0-9]\) or newer.*/\1/p' docs/operations.md | head -n 1)
[ "$(printf '%s\n' "$glibc" "$promised" | sort -V | tail -n 1)" = "$promised" ] \
    || die "$binary needs glibc $glibc; docs/operations.md promises that $promised is enough"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/texts"

# Help texts and manual pages from the binary, without the settings of the build user.
kurso() { env -i -C "$work" "$(realpath "$binary")" "$@"; }
kurso man "$work/texts/man"
mkdir "$work/texts/completions"
kurso completions bash >"$work/texts/completions/kurso"
kurso completions zsh >"$work/texts/completions/_kurso"
kurso completions fish >"$work/texts/completions/kurso.fish"
node scripts/licences.mjs >"$work/texts/third-party-licences.txt"

# The archive.
name=kurso-$version-$(uname -m)-linux-gnu
tree=$work/$name
mkdir -p "$tree/docs"
install -m 755 "$binary" "$tree/kurso"
install -m 644 README.md LICENSE-MIT LICENSE-APACHE packaging/kurso.service packaging/kurso.toml "$work/texts/third-party-licences.txt" "$tree"
install -m 644 docs/*.md "$tree/docs"
cp -r "$work/texts/man" "$work/texts/completions" "$tree"
pack=(gzip -9n)
[ -z "$quick" ] || pack=(gzip -1n)
tar --sort=name --format=ustar --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go-w \
    -C "$work" -c "$name" | "${pack[@]}" >"$out/$name.tar.gz"

# The Debian package.
architecture=$(dpkg --print-architecture)
root=$work/package
documents=$root/usr/share/doc/kurso
install -D -m 755 "$binary" "$root/usr/bin/kurso"
install -D -m 644 packaging/kurso.toml "$root/etc/kurso/kurso.toml"
install -D -m 644 packaging/kurso.service "$root/lib/systemd/system/kurso.service"
install -D -m 644 "$work/texts/completions/kurso" "$root/usr/share/bash-completion/completions/kurso"
install -D -m 644 "$work/texts/completions/_kurso" "$root/usr/share/zsh/vendor-completions/_kurso"
install -D -m 644 "$work/texts/completions/kurso.fish" "$root/usr/share/fish/vendor_completions.d/kurso.fish"
install -D -m 644 packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/kurso"
mkdir -p "$documents" "$root/usr/share/man/man1"
for page in "$work"/texts/man/*.1; do gzip -9n <"$page" >"$root/usr/share/man/man1/$(basename "$page").gz"; done
{
    cat packaging/debian/copyright
    printf '\nLicense: MIT\n'
    sed -e 's/^$/./' -e 's/^/ /' LICENSE-MIT
    printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$documents/copyright"
gzip -9n <"$work/texts/third-party-licences.txt" >"$documents/third-party-licences.txt.gz"
for page in docs/*.md; do install -m 644 "$page" "$documents"; done
printf 'kurso (%s) stable; urgency=medium\n\n  * Version %s; what changed is in its repository.\n\n -- Kurso <kurso@localhost>  %s\n' \
    "$version" "$version" "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$documents/changelog.gz"

mkdir "$root/DEBIAN"
install -m 755 packaging/debian/{postinst,prerm,postrm} "$root/DEBIAN"
echo /etc/kurso/kurso.toml >"$root/DEBIAN/conffiles"
size=$(du -k --apparent-size -s --exclude=DEBIAN "$root" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" \
    -e "s/@DEPENDS@/libc6 (>= $glibc), libgcc-s1 (>= 4.2)/" packaging/debian/control >"$root/DEBIAN/control"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
chmod 644 "$root"/DEBIAN/{conffiles,control,md5sums}
find "$root" -type d -exec chmod 755 {} +
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
pack=(-Zxz)
[ -z "$quick" ] || pack=(-Zgzip -z1)
dpkg-deb --root-owner-group "${pack[@]}" --build "$root" "$out/kurso_${version}_$architecture.deb" >/dev/null

(cd "$out" && sha256sum "$name.tar.gz" "kurso_${version}_$architecture.deb" >SHA256SUMS)
printf '%s\n' "$out: needs glibc $glibc (promised: $promised or newer)"
(cd "$out" && du -h --apparent-size "$name.tar.gz" "kurso_${version}_$architecture.deb")
