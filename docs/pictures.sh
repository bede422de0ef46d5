#!/usr/bin/env bash
# Makes the pictures of the README: a collection's output as a terminal shows it, and a page of the twin.
# Usage: docs/pictures.sh [atlas-gt binary]; needs Chromium.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${1:-target/release/atlas-gt}
chromium=${ATLAS_GT_CHROMIUM:-chromium}
work=$(mktemp -d)
twin=
trap '[ -z "$twin" ] || kill "$twin"; rm -rf "$work"' EXIT

picture() { # file width height address
    "$chromium" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --enable-unsafe-swiftshader \
        --user-data-dir="$work/profile" --window-size="$2,$3" --virtual-time-budget=8000 \
        --screenshot="$PWD/docs/$1" "$4" >"$work/chromium.log" 2>&1 || { cat "$work/chromium.log" >&2; exit 1; }
}

"$bin" collect --site twin --store "$work/store" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 1; }
# of the pages the first and the last are enough
pages=$(grep -c '^  \[' "$work/out")
awk -v pages="$pages" '/^  \[/ { page++; if (page == 4) print "  …"; if (page > 3 && page < pages - 1) next } { print }' \
    "$work/out" >"$work/shown"
"$bin" verify --store "$work/store" >"$work/verified" || { cat "$work/verified" >&2; exit 1; }
{
    printf '<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#1c1f26}'
    printf 'pre{margin:0;padding:18px 22px;font:14px/1.35 "DejaVu Sans Mono","Liberation Mono",monospace;color:#d8dee9}'
    printf 'b{color:#8fbc8f;font-weight:normal}</style><pre>'
    { printf '<b>$</b> atlas-gt collect --site twin\n'; sed "s|$work/store|out/twin|g" "$work/shown" | sed 's/&/\&amp;/g; s/</\&lt;/g'
      printf '<b>$</b> atlas-gt verify --site twin\n'; sed "s|$work/store|out/twin|g" "$work/verified"; }
    printf '</pre>'
} >"$work/terminal.html"
lines=$(grep -c '' "$work/terminal.html")
picture collect.png 1260 $((lines * 19 + 44)) "file://$work/terminal.html"

"$bin" twin --port 0 --rate-limit 0 --twin-seed 1 >"$work/address" 2>/dev/null &
twin=$!
for _ in $(seq 100); do [ -s "$work/address" ] && break; sleep 0.1; done
picture twin.png 1200 700 "$(head -1 "$work/address")"
