# SPDX-License-Identifier: BSD-2-Clause
# Has what debian-check and debian-arm64 share: results, the source, its packages.
# Sourced; $here is the top of the source, $cache what is kept between runs, $work a
# directory for this run, and passed and failed are 0.
#
# shellcheck shell=sh disable=SC2154

# ok sentence command...
ok()
{
	sentence=$1
	shift
	if "$@" > "$work/out" 2>&1; then
		echo "ok $sentence"
		passed=$((passed + 1))
	else
		echo "not ok $sentence: exit status $?"
		grep -v '^\[ *[0-9]*%\] ' "$work/out" | tail -n 60 |
		    sed 's/^/# /'
		failed=$((failed + 1))
		return 1
	fi
}

# in_builder system command: in the source, in a Debian that can build it.
in_builder()
{
	mkdir -p "$cache/ccache"
	STACK9_BIND="$cache/ccache:/ccache $work/source:/source" \
	    "$here/packaging/chroot" run "$1" env CCACHE_DIR=/ccache \
	    PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin \
	    sh -c "cd /source/stack9 && $2"
}

# The files that git knows of, as they are now.
copy_source()
{
	mkdir -p "$work/source/stack9"
	(cd "$here" && git ls-files -z | xargs -0 tar -c) |
	    tar -x -C "$work/source/stack9"
}
