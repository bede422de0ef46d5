#!/usr/bin/env bash
# Runs the test programs, two at a time: one alone waits for pages for a part of its time, and at its end for its last
# test. `cargo test` runs the same ones one after another.
#   scripts/tests.sh                  all of them, but for what is slow
#   scripts/tests.sh --deep           what is slow, alone: tests that are `ignored` so, and the programs of `slow`
#   scripts/tests.sh collect refresh  those of these names; after --deep, what is slow in them
# AT_ONCE=1 runs one at a time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# These take longest and start first, so that the end is not one of them alone.
first="docs collect explore refresh browser spot_check"
# programs that only the deep run runs
slow="browser"
# It builds the program with other features, in the same place: while cargo links it, the others would not find it.
alone="packaging"
deep=
if [ "${1:-}" = --deep ]; then
  deep=yes
  shift
fi
export deep slow

# said once, since without a browser many programs fail, each with an error of its own
browser=${ATLAS_GT_CHROMIUM:-}
for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
  browser=${browser:-$(command -v "$name" || true)}
done
[ -n "$browser" ] || echo "there is no Chromium: the tests that open pages will fail; install it: make setup" >&2

# What a program writes is removed when it ends: all of them together need gigabytes. The name is short, since messages
# with paths break at 100 columns.
folder=$(mktemp -d -t gt.XXXX)
trap 'rm -rf "$folder"' EXIT

if ! "${CARGO:-cargo}" test --locked --workspace --no-run 2>"$folder/built"; then
  cat "$folder/built" >&2
  exit 1
fi
# cargo says where they are: "Executable tests/readme.rs (target/debug/deps/readme-0123456789abcdef)"
programs=$(sed -nE 's/^ *Executable .*\((.*)\)$/\1/p' "$folder/built")
name_of() { sed -E 's/.*\///; s/-[0-9a-f]+$//' <<<"$1"; }

chosen=()
for name in $first; do
  for program in $programs; do [ "$(name_of "$program")" = "$name" ] && chosen+=("$program"); done
done
for program in $programs; do
  [[ " $first " == *" $(name_of "$program") "* ]] || chosen+=("$program")
done
if [ ${#chosen[@]} -eq 0 ]; then
  echo "cargo named no test program; it said:" >&2
  cat "$folder/built" >&2
  exit 1
fi
if [ -n "$deep" ]; then
  # the Grid has a target of its own
  kept=()
  for program in "${chosen[@]}"; do [ "$(name_of "$program")" = grid ] || kept+=("$program"); done
  chosen=("${kept[@]}")
else
  if [ $# -eq 0 ]; then
    kept=()
    for program in "${chosen[@]}"; do [[ " $slow " == *" $(name_of "$program") "* ]] || kept+=("$program"); done
    chosen=("${kept[@]}")
  fi
  # the examples in the documentation, which are no program of their own
  chosen+=(doc)
fi
if [ $# -gt 0 ]; then
  wanted=()
  for name in "$@"; do
    found=
    for program in "${chosen[@]}"; do
      if [ "$(name_of "$program")" = "$name" ]; then wanted+=("$program"); found=yes; fi
    done
    if [ -z "$found" ]; then
      echo "no test program \"$name\"; there are: $(for program in "${chosen[@]}"; do name_of "$program"; done | sort -u | xargs)" >&2
      exit 2
    fi
  done
  chosen=("${wanted[@]}")
fi

# What a program says is shown when it has ended, for they would speak at the same time.
run() {
  local name said code=0 started=$SECONDS
  name=$(name_of "$1")
  said="$folder/$name-$BASHPID"
  export TMPDIR="$folder/$BASHPID"
  mkdir "$TMPDIR" || return 1
  echo "$name: started"
  if [ "$1" = doc ]; then
    # without the workspace its packages have other features, and all are built again
    set -- "${CARGO:-cargo}" test --locked --workspace --doc
  elif [ -n "$deep" ] && [[ " $slow " != *" $name "* ]]; then
    set -- "$1" --ignored
  fi
  "$@" >"$said" 2>&1 || code=$?
  chmod -R u+rwX "$TMPDIR"
  rm -rf "$TMPDIR"
  if [ "$code" = 0 ]; then
    printf '%s: %s (%s s)\n' "$name" "$(grep '^test result' "$said" | tail -1)" $((SECONDS - started))
  else
    cat "$said"
    printf '%s: FAILED, exit code %s (%s s)\n' "$name" "$code" $((SECONDS - started))
    return 1
  fi
}
export -f run name_of
export folder

together=()
last=()
for program in "${chosen[@]}"; do
  if [ -n "$deep" ] && [[ " $alone " == *" $(name_of "$program") "* ]]; then last+=("$program"); else together+=("$program"); fi
done
run_all() { [ $# -le 1 ] || printf '%s\0' "${@:2}" | xargs -0 -n 1 -P "$1" bash -c 'run "$1"' run; }

failed=
run_all "${AT_ONCE:-2}" "${together[@]}" || failed=yes
run_all 1 "${last[@]}" || failed=yes
if [ -z "$failed" ]; then
  echo "${#chosen[@]} test programs passed"
else
  echo "some test programs failed; their output is above. Again: scripts/tests.sh NAME, or cargo test --test NAME" >&2
  exit 1
fi
