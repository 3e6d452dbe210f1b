// Tests that nothing that happens to tracer or target leaves anybody stopped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>

#include <csignal>
#include <fstream>
#include <random>

#include <fmt/format.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "require.h"
#include "routes.h"
#include "take.h"

namespace bdata = boost::unit_test::data;

namespace {

void
take_again_and_again(const noted &v, bool all)
{
	for (std::size_t i = 0;; i++) {
		int error;
		if (all)
			take_all(all_route(), v.pid(), error);
		else
			take(one(), v.tid(i % v.size()));
	}
}

template <class F>
pid_t
start(F f)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		f();
		_exit(0);
	}
	return pid;
}

void
end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
}

// At some point of what another process does.  A thread that has slept gets its
// CPU soon, also on a busy machine; one that only yields waits for all others.
void
at_random()
{
	static std::minstd_rand some(1);
	prctl(PR_SET_TIMERSLACK, 1);
	const timespec t{0, static_cast<long>(some() % 1000) * 1000};
	nanosleep(&t, nullptr);
}

// Its only child, by /proc; 0: none.
pid_t
child_of(pid_t pid)
{
	std::ifstream f(fmt::format("/proc/{0}/task/{0}/children", pid));
	pid_t child = 0;
	f >> child;
	return child;
}

// Returns the error of one thread in a pass.  The pass is made again for as
// long as the answer for the process is EAGAIN.
int
error_in_pass(pid_t pid, pid_t tid)
{
	for (int i = 0; i < tries_in_time; i++) {
		int error;
		const auto all = take_all(all_route(), pid, error);
		if (error != EAGAIN)
			return all.at(tid)->error;
	}
	return EAGAIN;
}

bool
is_free_and_asleep(const notes &n)
{
	while (status_number(n.tid, "TracerPid") != 0)
		sched_yield();
	wait_for_state(n.tid, 'S');
	return true;
}

} // namespace

BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_tracer_killed_at_any_instant_leaves_all_running,
    bdata::make({false, true}), all)
{
	const noted v({deed::read, deed::spin, deed::tick, deed::futex});
	for (int i = rounds(200, 80); i > 0; i--) {
		const pid_t tracer = start([&] {
			take_again_and_again(v, all);
		});
		at_random();
		end(tracer);
		wait_until_it_goes_on(v.of(1));
		wait_until_it_goes_on(v.of(2));
		BOOST_REQUIRE(is_free_and_asleep(v.of(0)));
		BOOST_REQUIRE(is_free_and_asleep(v.of(3)));
	}
}

// The process that traces for us is stopped or killed by somebody.
BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_helper_that_is_stopped_or_killed_lets_go,
    bdata::make({SIGSTOP, SIGKILL}), signo)
{
	if (!processes_trace)
		return;
	const noted v({deed::vfork, deed::spin});
	const pid_t tracer = start([&] {
		_exit(error_in_pass(v.pid(), v.tid(1)));
	});
	pid_t helper = 0;
	while ((helper = child_of(tracer)) == 0 ||
	    status_number(v.tid(1), "TracerPid") !=
	    static_cast<std::uint64_t>(helper))
		if (state_of(tracer) == 'Z')
			break;
	if (helper != 0)
		kill(helper, signo);
	int status = 0;
	waitpid(tracer, &status, 0);
	BOOST_TEST(WIFEXITED(status));
	BOOST_TEST((WEXITSTATUS(status) == EAGAIN ||
	    WEXITSTATUS(status) == 0));
	wait_until_it_goes_on(v.of(1));
}

BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_target_that_is_killed_is_gone,
    bdata::make({false, true}), all)
{
	for (int i = rounds(100, 40); i > 0; i--) {
		noted v({deed::read, deed::spin, deed::tick});
		const pid_t killer = start([&] {
			at_random();
			kill(v.pid(), SIGKILL);
		});
		int error = 0;
		while (error != ESRCH) {
			error = all ? error_in_pass(v.pid(), v.pid()) :
			    take(one(), v.tid(1)).error;
			BOOST_REQUIRE((error == 0 || error == ESRCH ||
			    error == EAGAIN));
		}
		waitpid(killer, nullptr, 0);
		v.kill_and_reap();
	}
}

// A thread that is not the first calls execve(2): all others have to die, and
// it becomes the first.
BOOST_TEST_DECORATOR(*needs("ptrace"))
BOOST_DATA_TEST_CASE(a_target_that_becomes_another_program_goes_on,
    bdata::make({false, true}), all)
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	const pid_t pid = start([&] {
		dup2(ends[1], 1);
		execl(EXECS, "execs", nullptr);
	});
	char c;
	for (int i = 0; i < 300; i++) {
		int error = 0;
		std::string why;
		if (all) {
			take_all(all_route(), pid, error);
		} else {
			const taken t = take(one(), pid);
			error = t.error;
			why = words(t);
		}
		BOOST_REQUIRE_MESSAGE(error == 0 || error == ESRCH ||
		    error == EAGAIN, error << ": " << why);
		BOOST_REQUIRE(read(ends[0], &c, 1) == 1);
	}
	end(pid);
	close(ends[0]);
	close(ends[1]);
}

// The outer part of its stack is memory that never comes.
BOOST_AUTO_TEST_CASE(a_stack_before_memory_that_never_comes,
    *needs("ptrace") * needs("root"))
{
	if (!processes_trace)
		return;
	static constexpr std::size_t size = 1 << 20;
	static std::atomic<std::uint64_t> *rounds;
	void *const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	BOOST_REQUIRE(shared != MAP_FAILED);
	rounds = static_cast<std::atomic<std::uint64_t> *>(shared);
	const pid_t pid = start([] {
		char *const stack = static_cast<char *>(mmap(nullptr, size,
		    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0));
		const int fd = static_cast<int>(syscall(SYS_userfaultfd, 0));
		uffdio_api api{UFFD_API, 0, 0};
		uffdio_register half{};
		half.range = {reinterpret_cast<std::uintptr_t>(stack) +
		    size / 2, size / 2};
		half.mode = UFFDIO_REGISTER_MODE_MISSING;
		if (fd < 0 || ioctl(fd, UFFDIO_API, &api) != 0 ||
		    ioctl(fd, UFFDIO_REGISTER, &half) != 0)
			_exit(1);
		static ucontext_t there, here;
		getcontext(&there);
		there.uc_stack = {stack, 0, size / 2};
		makecontext(&there, [] {
			for (;;)
				rounds->fetch_add(1);
		}, 0);
		swapcontext(&here, &there);
	});
	while (*rounds == 0)
		if (state_of(pid) == 'Z') {
			BOOST_TEST_MESSAGE("no userfaultfd(2) here");
			end(pid);
			return;
		}
	// A thread that a busy machine did not stop in time is another case.
	std::unique_ptr<taken> t;
	do
		t = std::make_unique<taken>(take(one(), pid));
	while (t->rec.why == STACK9_WHY_SILENT);
	BOOST_TEST(t->error == 0);
	int error;
	decltype(take_all(all_route(), pid, error)) all;
	do
		all = take_all(all_route(), pid, error);
	while (error == EAGAIN ||
	    (error == 0 && all.at(pid)->rec.why == STACK9_WHY_SILENT));
	BOOST_TEST(error == 0);
	BOOST_TEST(all.at(pid)->rec.error == 0);
	const std::uint64_t before = *rounds;
	while (*rounds == before)
		sched_yield();
	BOOST_TEST(status_number(pid, "TracerPid") == 0u);
	end(pid);
	munmap(shared, 4096);
}
