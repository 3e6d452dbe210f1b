#!/bin/sh
# Prints the stacks of a small program whose threads are all somewhere else.
# usage: run.sh stackprint demo-target
#
# SPDX-License-Identifier: BSD-2-Clause
set -u
stackprint=$1
target=$2

dir=$(mktemp -d) || exit 1
pid=
cleanup() {
	[ -z "$pid" ] || kill "$pid" 2>/dev/null
	rm -rf "$dir"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM

# The target reads its stdin until we are gone, and says on the other when all
# its threads are where they should be.
mkfifo "$dir/hold" "$dir/ready" || exit 1
"$target" <"$dir/hold" >"$dir/ready" &
pid=$!
exec 8>"$dir/hold" 9<"$dir/ready"
if ! read -r ready <&9; then
	echo "the demo target did not start" >&2
	exit 1
fi

echo "$ stackprint -p $pid"
"$stackprint" -p "$pid"
status=$?

# 0: all of it; 1: some; 2: none, and it has said why.
[ "$status" -le 2 ]
