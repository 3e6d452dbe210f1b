// Tests other namespaces, other kinds of programs, and programs kept in bpffs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>

#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pid_ns.h"
#include "require.h"
#include "user_child.h"
#include "user_marks.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_places)

namespace {

// Copies a thread that is 2 in here.  Outside that is kthreadd.
int
copy_within()
{
	const victim v({doing::poll});
	if (v.pid() != 2)
		return 77;
	auto *const one = usable_route<job::user>("user-syscall");
	auto *const by = usable_route<job::user>("user-iter");
	auto *const each = usable_route<job::user_each>("user-iter");
	if (by == nullptr || each == nullptr)
		return 77;
	if (one != nullptr)
		return 1;	// it would copy the outer thread
	user_capture c;
	if (c.take_asleep(*by, thread_named(2), true) != 0)
		return 2;
	if (c.user.thread.tid != 2 || c.user.thread.pid != 2 ||
	    std::strcmp(c.user.comm, "v1-0") != 0 || c.kernel.error != 0)
		return 3;
	int threads = 0;
	const int error = each->each_copy(2, true,
	    [](void *arg, stack9::sides &s) noexcept {
		*static_cast<int *>(arg) += s.user.error == 0 &&
		    s.kernel->error == 0 && s.user.thread.tid == 2;
		return 0;
	    }, &threads);
	return error != 0 ? 4 : threads != 1 ? 5 : 0;
}

// A bpffs that is mounted nowhere and goes with this process.
std::string
new_bpffs()
{
	const int fs = fsopen("bpf", FSOPEN_CLOEXEC);
	if (fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, nullptr, nullptr,
	    0) != 0)
		return {};
	const int mounted = fsmount(fs, FSMOUNT_CLOEXEC, 0);
	return mounted < 0 ? "" : fmt::format("/proc/self/fd/{}", mounted);
}

// The answer of the second of two processes that pin in one directory.
int
copy_pinned(const std::string &dir, pid_t tid)
{
	if (stack9::backend_linux_bpf.pin(dir.c_str()) != 0)
		return 1;
	auto *const by = usable_route<job::user>("user-iter");
	if (by == nullptr)
		return 77;
	if (usable_route<job::user>("user-syscall") != nullptr)
		return 2;	// it would have to be loaded
	user_capture c;
	if (c.take_asleep(*by, {tid, 0, 0}, true) != 0 || c.kernel.error != 0)
		return 3;
	return c.user.thread.tid == tid ? 0 : 4;
}

} // namespace

BOOST_AUTO_TEST_CASE(in_a_pid_namespace_tids_are_the_callers, *needs("mounts")
    * needs("bpf") * boost::unit_test::description(
    "In a pid namespace tids are the caller's"))
{
	const int status = in_new_pid_ns(copy_within);
	if (status == 77)
		BOOST_TEST_MESSAGE("no new pid namespace to be had here");
	else
		BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_CASE(a_pinned_program_serves_the_next_process, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "stack9_pin: Keeps BPF programs in bpffs, to be reused by later processes"))
{
	const victim v({doing::read});
	child owner([&](child::board &) {
		const std::string dir = new_bpffs();
		if (dir.empty())
			_exit(77);
		// The first one loads it, here.
		const int first = copy_pinned(dir, v.pid());
		child second([&](child::board &) {
			_exit(copy_pinned(dir, v.pid()));
		});
		const int later = second.end();
		_exit(first == 1 ? 77 : later);
	});
	const int status = owner.end();
	if (status == 77)
		BOOST_TEST_MESSAGE("nothing to pin here");
	else
		BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
