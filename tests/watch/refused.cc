// Tests what cannot be watched, and the reasons that are given.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <limits>

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <linux/bpf.h>
#include <unistd.h>

#include "core_calls.h"
#include "refuse_bpf.h"
#include "user.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_refused)

namespace {

using boost::unit_test::description;

bool
says(const refusal &r, const std::string &word)
{
	return r.reason.find(word) != std::string::npos;
}

// Checks for that error, and for a sentence that has the word.
void
check(const std::string &event, int error, const std::string &word)
{
	const refusal r = refused(event);
	BOOST_TEST(r.error == error, event << ": " << r.error << ": "
	    << r.reason);
	BOOST_TEST(says(r, word), event << ": " << r.reason);
	BOOST_TEST(r.reason.size() < core::reason_max - 1u);
	BOOST_TEST(r.reason.find('\n') == std::string::npos);
}

void
check_argument(const stack9::watch_filter &f, stack9::watch_sink s)
{
	const refusal r = refused("syscall:getppid", f, s);
	BOOST_TEST(r.error == EINVAL, r.error << ": " << r.reason);
	BOOST_TEST(r.reason != "");
	BOOST_TEST(r.reason != "not set");
}

} // namespace

BOOST_AUTO_TEST_CASE(names_of_nothing, *needs("bpf")
    * description("ENOENT: no such event"))
{
	const std::string tree = staged::path("tree");
	check("t:sched:sched_nothing", ENOENT, "sched_nothing");
	check("syscall:no_such_call", ENOENT, "no_such_call");
	check("u:" + tree + ":no_such_function", ENOENT, "no_such_function");
	check("u:/nowhere/at/all:main", ENOENT, "/nowhere/at/all");
	check("usdt:" + staged::path("probes") + ":stack9_test:nothing",
	    ENOENT, "nothing");
	check("usdt:" + tree + ":any:probe", ENOENT, "probe");
}

BOOST_AUTO_TEST_CASE(no_names_at_all, *needs("bpf")
    * description("EINVAL; reason: what failed and what would help"))
{
	check("", EINVAL, "");
	check("u:" + staged::path("tree"), EINVAL, "u:");
	check("cpu-clock:0", EINVAL, "cpu-clock");
	check("cpu-clock:often", EINVAL, "often");
	stack9::watch_filter f{};
	f.flags = STACK9_WATCH_REGEX;
	const refusal r = refused("u:" + staged::path("tree") + ":(", f);
	BOOST_TEST(r.error == EINVAL, r.error << ": " << r.reason);
}

BOOST_AUTO_TEST_CASE(arguments, *needs("bpf") * description("EINVAL"))
{
	stack9::watch_sink s = counted(STACK9_KERNEL);
	stack9::watch_filter f{};
	s.ring = 5000;
	check_argument(f, s);
	s = counted(static_cast<stack9_side>(0));
	check_argument(f, s);
	s = counted(STACK9_KERNEL);
	s.what = static_cast<stack9_watch_mode>(9);
	check_argument(f, s);
	s = streamed(STACK9_KERNEL, 0x40);	// no flag
	check_argument(f, s);
	s = counted(STACK9_KERNEL);
	f.flags = STACK9_WATCH_ONE_CPU;
	f.cpu = 1 << 20;
	check_argument(f, s);
	f = {};
	f.pid = -3;
	check_argument(f, s);
	f = {};
	f.cgroup = "/proc/self";
	check_argument(f, s);
	const stack9::watch_filter none{};
	stack9::event_watcher *w = nullptr;
	s.fn = nullptr;
	BOOST_TEST(core::watch("syscall:getppid", &none, &s, &w, nullptr) ==
	    EINVAL);
	BOOST_TEST(core::watch(nullptr, &none, &s, &w, nullptr) == EINVAL);
	BOOST_TEST(w == nullptr);
}

BOOST_AUTO_TEST_CASE(functions_of_the_kernel, *needs("bpf")
    * description("EOPNOTSUPP: not on this machine"))
{
	const refusal r = refused("vfs_read");
	if (r.error == 0) {
		BOOST_TEST(r.reason == "");
		return;
	}
	BOOST_TEST(r.error == EOPNOTSUPP, r.error << ": " << r.reason);
	BOOST_TEST((says(r, "CONFIG_") || says(r, "lockdown")), r.reason);
	BOOST_TEST(says(r, "syscall:read"), r.reason);
	check("k:vfs_read+4", EOPNOTSUPP, "");
}

// The error of the route, as --check prints it.
static int
checked()
{
	int error = -1;
	stack9_routes([](void *arg, const char *, const char *route, int e,
	    const char *) {
		if (std::string(route) == "bpf-events")
			*static_cast<int *>(arg) = e;
		return 0;
	}, &error);
	return error;
}

BOOST_AUTO_TEST_CASE(the_route_knows_what_every_event_is_refused, *needs("bpf")
    * description("--check: bpf-events is not ok where no event can be "
    "watched, as by seccomp or in a confidential lockdown"))
{
	const auto differ = [] {
		const refusal r = refused("syscall:getppid");
		return (checked() == 0) != (r.error == 0);
	};
	BOOST_TEST(in_child(differ) == 0);
	for (const int command : {int{BPF_PROG_LOAD}, -1})
		BOOST_TEST(in_child([&] {
			return !refuse_bpf(command, EPERM) ? 90 :
			    checked() != EPERM ? 91 : int{differ()};
		}) == 0);
}

// Makes the same call without privilege.
BOOST_AUTO_TEST_CASE(to_whoever_may_not, *needs("bpf") * needs("root")
    * description("EPERM"))
{
	const int status = in_child([] {
		if (setresgid(65534, 65534, 65534) != 0 ||
		    setresuid(65534, 65534, 65534) != 0)
			return 1;
		const refusal r = refused("syscall:getppid");
		return r.error != EPERM ? 2 : says(r, "CAP_") ? 0 : 3;
	});
	BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(more_than_can_be_attached_to, *needs("bpf")
    * description("ENOSPC: more events than can be attached to (1024)"))
{
	Dl_info libc{};
	BOOST_REQUIRE(dladdr(reinterpret_cast<void *>(gnu_get_libc_version),
	    &libc) != 0);
	check(std::string("u:") + libc.dli_fname + ":*", ENOSPC, "1024");
}

BOOST_AUTO_TEST_SUITE_END()
