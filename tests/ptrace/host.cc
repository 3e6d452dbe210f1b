// Tests that the program that captures sees nothing of the tracing.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <thread>

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "forbid.h"
#include "require.h"
#include "routes.h"
#include "take.h"

using boost::unit_test::description;

namespace {

std::atomic<int> signals;

int
take_both(const noted &v)
{
	int error;
	const auto all = take_all_in_time(route_of<stack9::job::user_each>(
	    stack9::backend_ptrace), v.pid(), error);
	if (error != 0)
		return error;
	for (const auto &[tid, t] : all)
		if (t->error != 0 || fault_of(t->copy, *v.find(tid)) != "")
			return t->error != 0 ? t->error : 99;
	const taken t = take_in_time(one(), v.tid(1));
	return t.error != 0 ? t.error :
	    fault_of(t.copy, v.of(1)) == "" ? 0 : 98;
}

// As if process creation as by vfork(2) were forbidden.
bool
forbid_vfork()
{
	return forbid(SYS_clone, BPF_JSET, CLONE_VFORK, EPERM);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_program_has_no_new_child_signal_or_file,
    *needs("ptrace"))
{
	if (!processes_trace)
		return;
	const noted v({deed::read, deed::spin});
	const int result = in_child([&] {
		struct sigaction act{};
		act.sa_handler = [](int) { signals++; };
		sigaction(SIGCHLD, &act, nullptr);
		sigset_t before, after;
		sigprocmask(SIG_SETMASK, nullptr, &before);
		const std::size_t files = open_files();
		for (int i = 0; i < 20; i++)
			if (const int error = take_both(v))
				return error;
		sigprocmask(SIG_SETMASK, nullptr, &after);
		if (open_files() != files)
			return 90;
		if (signals != 0)
			return 91;
		for (int s = 1; s < NSIG; s++)
			if (sigismember(&before, s) != sigismember(&after, s))
				return 92;
		return waitpid(-1, nullptr, __WALL | WNOHANG) == -1 &&
		    errno == ECHILD ? 0 : 93;
	});
	BOOST_TEST(result == 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_ignores_its_children_can_trace,
    *needs("ptrace"))
{
	const noted v({deed::read, deed::spin});
	BOOST_TEST(in_child([&] {
		signal(SIGCHLD, SIG_IGN);
		return take_both(v);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(a_program_that_waits_for_anything_takes_nothing,
    *needs("ptrace"))
{
	const noted v({deed::read, deed::spin});
	BOOST_TEST(in_child([&] {
		std::thread([] {
			for (;;)
				if (waitpid(-1, nullptr, __WALL) < 0)
					sched_yield();
		}).detach();
		for (int i = 0; i < 100; i++)
			if (const int error = take_both(v))
				return error;
		return 0;
	}) == 0);
}

BOOST_AUTO_TEST_CASE(a_thread_traces_where_a_process_may_not, *needs("ptrace"))
{
	const noted v({deed::read, deed::spin});
	BOOST_TEST(in_child([&] {
		if (!forbid_vfork())
			return 80;
		for (int i = 0; i < 50; i++)
			if (const int error = take_both(v))
				return error;
		return 0;
	}) == 0);
	const noted busy(deed::vfork);
	BOOST_TEST(in_child([&] {
		return forbid_vfork() ? take(one(), busy.tid()).error : 80;
	}) == EAGAIN);
	wait_until_it_goes_on(v.of(1));
	BOOST_TEST(status_number(busy.tid(), "TracerPid") == 0u);
}

BOOST_AUTO_TEST_CASE(threads_of_a_program_may_capture_at_once, *needs("ptrace")
    * description("EBUSY: the thread could only be traced, and another process "
    "traces it"))
{
	const noted v({deed::read, deed::spin, deed::tick, deed::futex});
	BOOST_TEST(in_child([&] {
		std::atomic<int> fault{0}, had{0};
		std::vector<std::thread> all;
		for (std::size_t i = 0; i < 4; i++)
			all.emplace_back([&, i] {
				for (int n = 0; n < 200; n++) {
					const taken t = take(one(),
					    v.tid(n % 2 == 0 ? i : 0));
					had += t.error == 0;
					if (t.error != EBUSY && t.error !=
					    EAGAIN && (t.error != 0 ||
					    fault_of(t.copy, v.of(n % 2 == 0 ?
					    i : 0)) != ""))
						fault = t.error + 100;
				}
			});
		for (std::thread &t : all)
			t.join();
		return had == 0 ? 99 : fault.load();
	}) == 0);
	wait_until_it_goes_on(v.of(1));
}

BOOST_AUTO_TEST_CASE(want_of_memory_or_files_is_reported, *needs("ptrace"))
{
	const noted v({deed::read, deed::spin});
#if !defined(__SANITIZE_ADDRESS__)	// which needs some itself
	BOOST_TEST(in_child([&] {
		const rlimit none{0, 0};
		setrlimit(RLIMIT_AS, &none);
		return take_in_time(one(), v.tid(1)).error;
	}) == ENOMEM);
#endif
	BOOST_TEST(in_child([&] {
		const rlimit none{0, 0};
		setrlimit(RLIMIT_NOFILE, &none);
		const taken t = take_in_time(one(), v.tid(1));
		return t.rec.why == STACK9_WHY_RESOURCE ? t.error : 99;
	}) == EMFILE);
	wait_until_it_goes_on(v.of(1));
}
