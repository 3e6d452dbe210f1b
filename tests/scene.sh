# Says to scripts what the process that runs them may do, as tests/require.cc
# does to programs.
#
# SPDX-License-Identifier: BSD-2-Clause

# is_root: uid 0 of all users, who may become another one and mount.  A container's
# root may be root of few users only, or have few capabilities.
is_root()
{
	[ "$(id -u)" -eq 0 ] &&
	    grep -q '^ *0  *0  *4294967295$' /proc/self/uid_map || return 1
	effective=$(sed -n 's/^CapEff:[[:space:]]*/0x/p' /proc/self/status)
	# CAP_SETUID is 7, CAP_SYS_ADMIN 21.
	[ $((effective >> 7 & 1)) -eq 1 ] && [ $((effective >> 21 & 1)) -eq 1 ]
}
