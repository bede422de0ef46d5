#!/usr/bin/env bash
# `make test` compiles with clippy-driver, which lints on the way: the packages that we use are compiled once, and not
# checked before. How it is told to take a lint for an error is nowhere promised, so that it is tried here first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compile() {
  printf '%s\n' "$1" >"$folder/lint.rs"
  "$RUSTC_WORKSPACE_WRAPPER" rustc --edition 2024 --crate-type lib --emit metadata -o "$folder/lint.rmeta" "$folder/lint.rs" \
    2>"$folder/said"
}
if ! compile 'pub fn fine(values: &[i32]) -> usize { values.len() }'; then
  cat "$folder/said" >&2
  echo "clippy-driver does not compile; install it with: rustup component add clippy" >&2
  exit 1
fi
for wrong in 'pub fn wrong(values: &Vec<i32>) -> usize { values.len() }' 'pub fn wrong() { let unused = 1; }'; do
  if compile "$wrong"; then
    echo "clippy-driver takes no lint for an error: it reads CLIPPY_ARGS otherwise than it did; run \`make lint\`" >&2
    echo "and mend the target \`test\` of the Makefile" >&2
    exit 1
  fi
done
