#!/usr/bin/env bash
# Makes the pictures in docs/pictures: a page of the twin, the report of an evaluation.
# Usage: docs/pictures.sh [atlas-gt binary]; needs Chromium.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=$(realpath "${1:-target/release/atlas-gt}")
chromium=${ATLAS_GT_CHROMIUM:-chromium}
work=$(mktemp -d)
twin=
trap '[ -z "$twin" ] || kill "$twin"; rm -rf "$work"' EXIT

picture() { # file width height address
    "$chromium" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --enable-unsafe-swiftshader \
        --user-data-dir="$work/profile" --window-size="$2,$3" --virtual-time-budget=8000 \
        --screenshot="$PWD/docs/pictures/$1" "$4" >"$work/chromium.log" 2>&1 || { cat "$work/chromium.log" >&2; exit 1; }
}

"$bin" collect --site twin --store "$work/store" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 1; }

"$bin" twin --port 0 --rate-limit 0 --twin-seed 1 >"$work/address" 2>/dev/null &
twin=$!
for _ in $(seq 100); do [ -s "$work/address" ] && break; sleep 0.1; done
picture twin.png 1200 700 "$(head -1 "$work/address")"

# answers that say what the store holds, but for a wrong year and a refusal now and then, each with a trace
awk -F'"' '
    { gsub(/\\"/, "") } # quotes within a text
    $2 == "question_id" { id = $4; text = "" }
    $2 == "metric" { metric = $4 }
    $2 == "country" { country = $4 }
    $2 == "product" || $2 == "partner" { name = " " $4 }
    $2 == "value" { text = text country ": " metric name " " $4 ". "; name = "" }
    $2 == "year" { if (n % 5 == 3) text = text "That is of 1999. " }
    /^}/ {
        n++
        if (text == "") text = "There is none."
        if (n % 7 == 2) text = "I cannot provide that."
        took = 2 + n % 11
        printf "{\"question_id\": \"%s\", \"answer\": \"%s\", \"trace\": {\"tool_calls\": [\"atlas_graphql\"], ", id, text
        printf "\"total_duration_ms\": %d, \"node_traces\": [", took * 1000
        printf "{\"node_name\": \"agent\", \"start_time\": 0, \"end_time\": %d}, ", took
        printf "{\"node_name\": \"classify_query\", \"start_time\": 0, \"end_time\": %.2f, \"parent\": 0}, ", took / 5
        printf "{\"node_name\": \"build_and_execute_graphql\", \"start_time\": %.2f, \"end_time\": %.2f, \"parent\": 0}, ", took / 5, took * 0.7
        printf "{\"node_name\": \"format_answer\", \"start_time\": %.2f, \"end_time\": %.2f, \"parent\": 0}]}}\n", took * 0.7, took
    }' "$work"/store/*/results.json >"$work/answers.jsonl"
# from there, so that the page names no folder of this machine
(cd "$work" && "$bin" eval run --site twin --store store --agent-site twin --answers answers.jsonl --format html >evaluation.html 2>out) ||
    { cat "$work/out" >&2; exit 1; }
picture evaluation.png 1280 1000 "file://$work/evaluation.html"
