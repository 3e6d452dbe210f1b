// Tests who may not trace, and what is said of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>

#include <grp.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include "forbid.h"
#include "require.h"
#include "routes.h"
#include "take.h"

namespace {

void
become_nobody()
{
	if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 ||
	    setuid(65534) != 0)
		_exit(80);
	prctl(PR_SET_DUMPABLE, 1);
}

// A sleeper of nobody's; killed when the caller dies.
pid_t
sleeper_of_nobody(bool dumpable)
{
	int ready[2];
	char c = 0;
	if (pipe(ready) != 0)
		_exit(81);
	const pid_t pid = fork();
	if (pid == 0) {
		become_nobody();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, dumpable);
		if (write(ready[1], &c, 1) == 1)
			for (;;)
				pause();
	}
	return read(ready[0], &c, 1) == 1 ? pid : -1;
}

// The errno of a capture of pid, whose reason has to have a word.
int
error_of(pid_t pid, const char *word)
{
	const taken t = take_in_time(one(), pid);
	if (word == nullptr)
		return t.error;
	return t.rec.why != STACK9_WHY_RIGHTS || t.rec.reason == nullptr ||
	    std::strstr(t.rec.reason, word) == nullptr ? (std::puts(
	    words(t).c_str()), std::fflush(stdout), 90) : t.error;
}

int
forbid_ptrace(int error)
{
	return forbid(SYS_ptrace, BPF_JGE, 0, error) ?
	    one().can().error : 91;
}

} // namespace

BOOST_AUTO_TEST_CASE(another_users_thread_needs_cap_sys_ptrace, *needs("root"))
{
	const noted v(deed::read);
	BOOST_TEST(in_child([&] {
		become_nobody();
		return error_of(v.tid(), "another user's");
	}) == EPERM);
	BOOST_TEST(status_number(v.tid(), "TracerPid") == 0u);
}

BOOST_AUTO_TEST_CASE(ones_own_thread_can_be_traced, *needs("root")
    * needs("ptrace"))
{
	BOOST_TEST(in_child([] {
		const pid_t pid = sleeper_of_nobody(true);
		become_nobody();
		return error_of(pid, nullptr);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(one_that_is_not_dumpable_needs_cap_sys_ptrace,
    *needs("root") * needs("ptrace"))
{
	BOOST_TEST(in_child([] {
		const pid_t pid = sleeper_of_nobody(false);
		become_nobody();
		return error_of(pid, "not dumpable");
	}) == EPERM);
	BOOST_TEST(in_child([] {
		return error_of(sleeper_of_nobody(false), nullptr);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(a_filter_is_noticed, *needs("ptrace"))
{
	BOOST_TEST(in_child([] { return forbid_ptrace(EPERM); }) == EPERM);
	BOOST_TEST(in_child([] { return forbid_ptrace(ENOSYS); }) ==
	    EOPNOTSUPP);
	BOOST_TEST(one().can().error == 0);
}

// The kernel says EIO of a first thread that it releases in another one's
// execve(2).
BOOST_AUTO_TEST_CASE(a_thread_released_meanwhile_is_to_be_asked_for_again,
    *needs("ptrace"))
{
	const noted v(deed::read);
	BOOST_TEST(in_child([&] {
		if (!forbid(SYS_ptrace, BPF_JEQ, PTRACE_INTERRUPT, EIO))
			return 91;
		const taken t = take(one(), v.tid());
		return t.rec.why == STACK9_WHY_TORN ? t.error : 92;
	}) == EAGAIN);
}
