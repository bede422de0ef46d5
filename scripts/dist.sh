#!/usr/bin/env bash
# Packs a program with its completions, man pages and licences into one tarball, and prints the tarball's path.
#   scripts/dist.sh PROGRAM FOLDER
# The same program gives the same bytes: names are sorted, and times are those of SOURCE_DATE_EPOCH, else 1970.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$("$program" --version | cut -d ' ' -f 2)
name="atlas-gt-$version-$(uname -m)-linux"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root="$work/$name"

install -D -m 755 "$program" "$root/bin/atlas-gt"
"$program" man "$root/share/man/man1"
complete() { mkdir -p "$(dirname "$root/share/$2")" && "$program" completions "$1" >"$root/share/$2"; }
complete bash bash-completion/completions/atlas-gt
complete zsh zsh/site-functions/_atlas-gt
complete fish fish/vendor_completions.d/atlas-gt.fish
install -D -m 644 -t "$root/share/doc/atlas-gt" LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md

tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -C "$work" -c "$name" |
  gzip -n -9 >"$work/$name.tar.gz"
mv "$work/$name.tar.gz" "$folder/"
echo "$folder/$name.tar.gz"
