// Tests which word and which sentence a capture without the rights gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstring>
#include <functional>

#include <grp.h>
#include <linux/capability.h>
#include <stack9_watch.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core_calls.h"
#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(rights)

namespace {

constexpr int cap_bpf = 39, cap_perfmon = 38, cap_sys_admin = 21;

// Runs body in a child as uid 65534 that holds just these capabilities.
int
with_capabilities(std::initializer_list<int> caps,
    const std::function<int()> &body)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_KEEPCAPS, 1);
		if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 ||
		    setuid(65534) != 0)
			_exit(90);
		__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
		__user_cap_data_struct data[2]{};
		for (const int c : caps) {
			data[c / 32].permitted |= 1u << (c % 32);
			data[c / 32].effective |= 1u << (c % 32);
		}
		if (syscall(SYS_capset, &head, data) != 0)
			_exit(91);
		_exit(body());
	}
	int status = 0;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

// Before 5.11 RLIMIT_MEMLOCK limits what programs and maps take.
bool
memory_is_locked()
{
	utsname u;
	int major = 0, minor = 0;
	BOOST_REQUIRE(uname(&u) == 0);
	BOOST_REQUIRE(std::sscanf(u.release, "%d.%d", &major, &minor) == 2);
	return major < 5 || (major == 5 && minor < 11);
}

// The errno of a capture by BPF.  The capture must name the missing capability.
int
bpf_error(pid_t tid, const char *must_name)
{
	for (const char *r : {"syscall", "iter-tid", "iter-filter"}) {
		stack9_force(r);
		capture c;
		const int e = c.save(tid);
		if (e == EOPNOTSUPP)
			continue;
		if (must_name != nullptr && (c.rec.why != STACK9_WHY_RIGHTS ||
		    c.rec.reason == nullptr ||
		    std::strstr(c.rec.reason, must_name) == nullptr))
			return 92;
		if ((e == 0) != (c.rec.depth > 0))
			return 93;
		return e;
	}
	return 94;
}

} // namespace

BOOST_AUTO_TEST_CASE(without_capabilities_it_is_eperm, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "EPERM: this needs more privilege"))
{
	const victim v({doing::read});
	BOOST_TEST(with_capabilities({}, [&] {
		return bpf_error(v.pid(), "CAP_BPF and CAP_PERFMON");
	}) == EPERM);
	BOOST_TEST(with_capabilities({cap_bpf}, [&] {
		return bpf_error(v.pid(), "CAP_PERFMON");
	}) == EPERM);
	BOOST_TEST(with_capabilities({cap_perfmon}, [&] {
		return bpf_error(v.pid(), "CAP_BPF");
	}) == EPERM);
}

BOOST_AUTO_TEST_CASE(with_both_capabilities_it_works, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "CAP_BPF and CAP_PERFMON are enough, and so is CAP_SYS_ADMIN"))
{
	const victim v({doing::read});
	BOOST_TEST(with_capabilities({cap_bpf, cap_perfmon}, [&] {
		return bpf_error(v.pid(), nullptr);
	}) == 0);
	BOOST_TEST(with_capabilities({cap_sys_admin}, [&] {
		return bpf_error(v.pid(), nullptr);
	}) == 0);
}

// Before 5.11 the kernel says EPERM for too little of it.  The limit is too
// small for the maps of events at any rate, not for the trial's.
BOOST_AUTO_TEST_CASE(too_little_locked_memory_is_no_lack_of_rights,
    *needs("root") * needs("bpf") * boost::unit_test::description(
    "RLIMIT_MEMLOCK: ENOMEM before Linux 5.11, no matter since"))
{
	for (const rlim_t kib : {64, 256, 1024}) {
		const int status = with_capabilities({cap_bpf, cap_perfmon},
		    [&] {
			const rlimit limit{kib * 1024, kib * 1024};
			setrlimit(RLIMIT_MEMLOCK, &limit);
			char reason[core::reason_max];
			stack9::watch_sink sink{};
			sink.what = STACK9_WATCH_COUNT;
			sink.side = STACK9_KERNEL;
			sink.fn = [](void *, const stack9::watch_sample *) {
				return 0;
			};
			stack9::event_watcher *watch = nullptr;
			const int error = core::watch("syscall:getppid",
			    nullptr, &sink, &watch, reason);
			core::watch_close(watch);
			if (error == 0)
				return 0;
			return std::strstr(reason, "RLIMIT_MEMLOCK") == nullptr
			    ? 92 : error;
		});
		BOOST_TEST(status == (memory_is_locked() ? ENOMEM : 0), kib);
	}
}

BOOST_AUTO_TEST_CASE(rights_gained_later_count, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "a lack of rights is asked again once they have changed"))
{
	const victim v({doing::read});
	BOOST_TEST(with_capabilities({cap_bpf, cap_perfmon}, [&] {
		__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
		__user_cap_data_struct all[2]{}, none[2]{};
		syscall(SYS_capget, &head, all);
		std::memcpy(none, all, sizeof none);
		none[0].effective = none[1].effective = 0;
		syscall(SYS_capset, &head, none);
		if (bpf_error(v.pid(), "CAP_BPF") != EPERM)
			return 1;
		syscall(SYS_capset, &head, all);
		return bpf_error(v.pid(), nullptr);
	}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
