// Finds out what the kernel of this machine has, for the tests of its events.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "machine.h"

#include <unistd.h>

using boost::test_tools::assertion_result;

assertion_result
has_btf(boost::unit_test::test_unit_id)
{
	assertion_result r(access("/sys/kernel/btf/vmlinux", R_OK) == 0);
	r.message() << "the kernel has no BTF";
	return r;
}

assertion_result
has_no_kprobes(boost::unit_test::test_unit_id)
{
	assertion_result r(access("/sys/bus/event_source/devices/kprobe",
	    F_OK) != 0);
	r.message() << "the kernel has kprobes";
	return r;
}

bool
tracefs_is_mounted()
{
	return access("/sys/kernel/tracing/events", F_OK) == 0 ||
	    access("/sys/kernel/debug/tracing/events", F_OK) == 0;
}

labels
names(const found &f)
{
	labels all;
	for (const auto &p : f.probes)
		all.insert(p.name);
	return all;
}
