// Tests EVENTS of stackcount(1) against the kernel of this machine: tracepoints
// and system calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <memory>

#include <bpf/btf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "require.h"

using boost::unit_test::precondition;
using stack9::events::most_probes;
using stack9::events::probe_kind;

namespace {

// The names with this prefix, from the types that libbpf reads.
labels
tracepoints(const std::string &begin)
{
	const std::unique_ptr<btf, decltype(&btf__free)> types(
	    btf__load_vmlinux_btf(), btf__free);
	BOOST_TEST_REQUIRE(types.get() != nullptr);
	labels all;
	const std::string prefix = "btf_trace_" + begin;
	for (unsigned int i = 1; i < btf__type_cnt(types.get()); i++) {
		const btf_type *const t = btf__type_by_id(types.get(), i);
		const std::string name = btf__name_by_offset(types.get(),
		    t->name_off);
		if (btf_kind(t) == BTF_KIND_TYPEDEF && name.starts_with(prefix))
			all.insert(name.substr(10));
	}
	return all;
}

// Only root can reach a tracefs that is not mounted.
std::string
sched_switch()
{
	return tracefs_is_mounted() || lack_of("root").empty() ?
	    "t:sched:sched_switch" : "t:sched_switch";
}

} // namespace

BOOST_AUTO_TEST_SUITE(kernel)

BOOST_AUTO_TEST_CASE(a_tracepoint_has_many_names, *precondition(has_btf))
{
	for (const char *text : {"t:sched:sched_switch", "sched:sched_switch",
	    "tracepoint:sched:sched_switch", "t:sched_switch",
	    "rt:sched_switch", "rawtracepoint:sched_switch"}) {
		const found f(text);
		BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
		BOOST_TEST((f.probes[0].kind == probe_kind::tracepoint));
		BOOST_TEST(f.probes[0].name == "sched_switch");
		BOOST_TEST(f.labels_are_names(), f);
	}
	BOOST_TEST(found("sched:sched_switch").probes[0].label ==
	    "t:sched:sched_switch");
}

BOOST_AUTO_TEST_CASE(patterns_find_what_the_kernels_types_have,
    *precondition(has_btf))
{
	const labels all = tracepoints("sched_");
	BOOST_TEST(all.size() > 10U);
	BOOST_TEST(names(found("t:sched_*")) == all);
	BOOST_TEST(names(found("t:sched_.*", true)) == all);
	BOOST_TEST(names(found("t:sched_(switch|waking)", true)) ==
	    (labels{"sched_switch", "sched_waking"}));
	BOOST_TEST(found("t:sched_(switch|waking", true).error == EINVAL);
	BOOST_TEST(found("t:ched_switch.*", true).error == ENOENT);
}

BOOST_AUTO_TEST_CASE(more_events_than_can_be_attached_to_are_enospc,
    *precondition(has_btf))
{
	if (tracepoints("").size() <= most_probes)
		return;
	const found f("t:*");
	BOOST_TEST(f.error == ENOSPC, f);
	BOOST_TEST(f.probes.empty());
	BOOST_TEST(f.says("1024"), f);
}

BOOST_AUTO_TEST_CASE(an_unknown_tracepoint_is_enoent_with_the_nearest_names,
    *precondition(has_btf))
{
	const found f("t:sched:sched_swich");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("did you mean " + sched_switch()), f);
	BOOST_TEST(found("sched:sched_swich").says("did you mean " +
	    sched_switch()));
	BOOST_TEST(found("t:sys_enter_read").says("the system call is "
	    "syscall:read"));
}

BOOST_AUTO_TEST_CASE(events_of_other_kinds_are_named_too,
    *precondition(has_btf))
{
	const found f("sched_swich");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("did you mean " + sched_switch()), f);
	BOOST_TEST(found("sched_switch").says("the tracepoint of that name is "
	    + sched_switch()));
	const found opened("opnat");
	BOOST_TEST(opened.says("did you mean syscall:openat"), opened);
	const found call("sys_enter_read");
	BOOST_TEST(call.error == ENOENT, call);
	BOOST_TEST(call.says("the system call is syscall:read"), call);
	BOOST_TEST(found("k:sys_exit_read").says("call is sysret:read"));
}

BOOST_AUTO_TEST_CASE(without_tracefs_a_category_has_no_members,
    *precondition(has_btf))
{
	if (tracefs_is_mounted())
		return;
	const found f("t:sched:*");
	BOOST_TEST(f.error == EOPNOTSUPP, f);
	BOOST_TEST(f.says("mount -t tracefs"), f);
	BOOST_TEST(f.says("t:sched_*"), f);
}

BOOST_AUTO_TEST_CASE(system_calls_have_the_numbers_of_this_machine)
{
	const std::pair<const char *, long> known[] = {{"openat", SYS_openat},
	    {"read", SYS_read}, {"clone3", SYS_clone3}, {"bpf", SYS_bpf},
	    {"exit_group", SYS_exit_group}, {"futex", SYS_futex}};
	for (const auto &[name, number] : known)
		for (const std::string prefix : {"syscall:", "sys:", "sysret:",
		    "t:syscalls:sys_enter_", "syscalls:sys_exit_"}) {
			const found f(prefix + name);
			BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
			const auto &p = f.probes[0];
			BOOST_TEST((p.kind == probe_kind::syscall));
			BOOST_TEST(p.number == number);
			BOOST_TEST(p.returns == (prefix == "sysret:" ||
			    prefix == "syscalls:sys_exit_"));
			BOOST_TEST(p.label == (p.returns ? "sysret:" :
			    "syscall:") + std::string(name));
			BOOST_TEST(f.labels_are_names(), f);
		}
}

BOOST_AUTO_TEST_CASE(a_system_call_can_be_a_number_or_a_pattern)
{
	BOOST_TEST(found("syscall:" + std::to_string(SYS_openat)).labels() ==
	    labels{"syscall:openat"});
	BOOST_TEST(found("syscall:4000").probes[0].number == 4000);
	BOOST_TEST(found("syscall:?sync").labels() ==
	    (labels{"syscall:fsync", "syscall:msync"}));
	BOOST_TEST(found("t:syscalls:sys_*_fsync").labels() ==
	    (labels{"syscall:fsync", "sysret:fsync"}));
	BOOST_TEST(found("syscall:*").probes.size() > 250U);
	BOOST_TEST(found("t:syscalls:sys_enter_newuname").labels() ==
	    labels{"syscall:uname"});
}

BOOST_AUTO_TEST_CASE(an_unknown_system_call_is_enoent_with_the_nearest_names)
{
	const found f("sysret:opnat");
	BOOST_TEST(f.error == ENOENT, f);
	BOOST_TEST(f.says("did you mean sysret:openat,"), f);
}

BOOST_AUTO_TEST_SUITE_END()
