#!/bin/sh
# An adapter: answers a case with DIR/ID.json and fails where there is none. It keeps what it was asked in DIR/asked.
request=$(cat)
id=$(printf '%s' "$request" | sed 's/.*"id":"\([^"]*\)".*/\1/')
printf '%s\n' "$request" >>"$1/asked"
cat "$1/$id.json"
