#!/usr/bin/env bash
# Installs what is missing and nothing else: Chromium, ChromeDriver, fonts, a C compiler, rustfmt and clippy.
# `setup.sh compiler` and `setup.sh browser` do a part of it, so that a build need not wait for the browser; `setup.sh postgres` installs
# what the slow tests of the desk need besides.
set -euo pipefail

part=${1:-all}
case "$part" in
all | compiler | browser | postgres) ;;
*)
    echo "setup: there is no part \"$part\": compiler, browser, postgres, or nothing for all" >&2
    exit 2
    ;;
esac
wanted() { [ "$part" = all ] || [ "$part" = "$1" ]; }

# programs only: `command -v` would find the functions of this script too
have() { type -P "$1" >/dev/null; }
any() { for name in "$@"; do if have "$name"; then return 0; fi; done; return 1; }

# programs that are named in the environment need not be on PATH
has_chromium() { [ -x "${ATLAS_GT_CHROMIUM:-}" ] || any chromium chromium-browser google-chrome google-chrome-stable chrome; }
has_driver() { [ -x "${ATLAS_GT_CHROMEDRIVER:-}" ] || any chromedriver chromium.chromedriver; }
has_fonts() {
    local found
    found=$(find /usr/share/fonts /usr/local/share/fonts "$HOME/.fonts" "$HOME/.local/share/fonts" \
        \( -iname '*.ttf' -o -iname '*.otf' -o -iname '*.ttc' -o -iname '*.pfb' \) -print -quit 2>/dev/null) || true
    [ -n "$found" ]
}

if ! have cargo; then
    if [ -x "$HOME/.cargo/bin/cargo" ]; then
        echo "setup: cargo is in $HOME/.cargo/bin, which is not on PATH: run  . \"$HOME/.cargo/env\"  first" >&2
    else
        echo "setup: Rust is missing: install it from https://rustup.rs, then run this again" >&2
    fi
    exit 1
fi

packages=()
if wanted compiler; then
    any cc gcc clang || packages+=(build-essential pkg-config)
fi
if wanted browser; then
    has_chromium || packages+=(chromium)
    has_driver || packages+=(chromium-driver)
    has_fonts || packages+=(fonts-liberation)
fi

if [ "$part" = postgres ]; then
    have initdb || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || packages+=(postgresql)
    python3 -m venv --help >/dev/null 2>&1 || packages+=(python3-venv)
fi

if [ "${#packages[@]}" -gt 0 ]; then
    if ! have apt-get; then
        echo "setup: missing: ${packages[*]} (names of Debian's packages), and there is no apt-get here." >&2
        echo "setup: install them with this system's own tools. Chromium and ChromeDriver must be of one version;" >&2
        echo "setup: they are looked for on PATH, or in ATLAS_GT_CHROMIUM and ATLAS_GT_CHROMEDRIVER." >&2
        exit 1
    fi
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! have sudo; then
            echo "setup: missing: ${packages[*]}; as root run:  apt-get install ${packages[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing ${packages[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null
fi

if [ "$part" != all ]; then exit 0; fi

components=()
cargo fmt --version >/dev/null 2>&1 || components+=(rustfmt)
cargo clippy --version >/dev/null 2>&1 || components+=(clippy)
if [ "${#components[@]}" -gt 0 ]; then
    if have rustup; then
        echo "setup: adding ${components[*]}"
        rustup component add "${components[@]}"
    else
        # needed by `make test` only
        echo "setup: ${components[*]} missing; \`make test\` needs it, install it with this system's tools" >&2
    fi
fi

echo "setup: nothing is missing"
