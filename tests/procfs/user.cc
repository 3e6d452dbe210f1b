// Compares user sides that are copied by /proc with what the threads know of
// them, and checks that nobody notices.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/data/test_case.hpp>

#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <grp.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "arch/cpu.h"

#include "require.h"
#include "take.h"

namespace bdata = boost::unit_test::data;
using boost::unit_test::description;

namespace {

stack9::user_route &
one()
{
	return route_of<stack9::job::user>(stack9::backend_procfs);
}

stack9::user_pass_route &
all_route()
{
	return route_of<stack9::job::user_each>(stack9::backend_procfs);
}

std::uintptr_t
register_of(const stack9::user_copy &copy, int number)
{
	return copy.value[static_cast<std::size_t>(number)];
}

void
check_copy(const taken &t, const notes &n)
{
	using namespace stack9::unwind;
	BOOST_TEST_INFO(words(t));
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST(fault_of(t.copy, n) == "");
	BOOST_TEST(t.copy.known == (std::uint64_t{1} << register_sp |
	    std::uint64_t{1} << register_pc));
	BOOST_TEST(register_of(t.copy, register_sp) ==
	    t.copy.stack.at + red_zone);
	BOOST_TEST(register_of(t.copy, register_pc) != 0u);
	BOOST_TEST(t.rec.thread.tid == n.tid);
	BOOST_TEST(t.rec.thread.pid != 0);
	BOOST_TEST(t.rec.thread.start != 0u);
	BOOST_TEST(t.rec.when_ns != 0u);
}

// A process with a thread whose stack ends at a page that nobody brings.  Its
// tid comes out of the pipe.
pid_t
beside_a_page_that_nobody_brings(int to)
{
	const pid_t pid = fork();
	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	constexpr std::size_t half = 256 << 10;
	static const int told = to;
	const auto at = reinterpret_cast<std::uintptr_t>(mmap(nullptr, 2 * half,
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	const auto fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
	uffdio_api api{UFFD_API, 0, 0};
	uffdio_register upper{{at + half, half},
	    UFFDIO_REGISTER_MODE_MISSING, 0};
	pthread_attr_t a;
	pthread_t thread;
	pthread_attr_init(&a);
	if (ioctl(fd, UFFDIO_API, &api) != 0 ||
	    ioctl(fd, UFFDIO_REGISTER, &upper) != 0 ||
	    pthread_attr_setstack(&a, reinterpret_cast<void *>(at), half) != 0)
		_exit(1);
	pthread_create(&thread, &a, [](void *) -> void * {
		const pid_t tid = gettid();
		(void)!write(told, &tid, sizeof tid);
		for (;;)
			pause();
	}, nullptr);
	for (;;)
		pause();
}

// 0 or EAGAIN, where it flips.
int
take_until_asleep(const noted &v, std::size_t i)
{
	for (;;) {
		const taken t = take(one(), v.tid(i));
		if (t.error == EAGAIN)
			continue;
		check_copy(t, v.of(i));
		return t.error;
	}
}

} // namespace

BOOST_DATA_TEST_CASE(a_sleeping_thread_is_copied_and_nothing_returns_early,
    bdata::make({deed::futex, deed::poll, deed::read, deed::nanosleep}), what)
{
	const noted v({what, what});
	for (int i = 0; i < 500; i++)
		for (const std::size_t k : {0, 1})
			check_copy(take(one(), v.tid(k)), v.of(k));
	BOOST_TEST(v.of(0).returned == 0u);
	BOOST_TEST(v.of(1).returned == 0u);
	BOOST_TEST(state_of(v.tid(1)) == 'S');
}

BOOST_AUTO_TEST_CASE(a_copy_of_one_that_wakes_is_whole_or_refused)
{
	const noted v({deed::read, deed::tick});
	for (int i = 0; i < 500; i++)
		BOOST_REQUIRE(take_until_asleep(v, 1) == 0);
}

BOOST_AUTO_TEST_CASE(a_running_thread_is_said_to_be_on_a_cpu)
{
	const noted v({deed::read, deed::spin});
	for (int i = 0; i < 100; i++) {
		const taken t = take(one(), v.tid(1));
		BOOST_REQUIRE(t.error == EAGAIN);
		BOOST_TEST(t.rec.why == STACK9_WHY_ON_CPU);
	}
}

BOOST_AUTO_TEST_CASE(threads_that_do_not_stop_or_are_stopped_are_copied,
    *needs("ptrace"))
{
	const noted v(deed::vfork);
	check_copy(take(one(), v.tid()), v.of(0));
	const noted stopped(deed::spin);
	kill(stopped.pid(), SIGSTOP);
	wait_for_state(stopped.pid(), 'T');
	check_copy(take(one(), stopped.tid()), stopped.of(0));
	BOOST_TEST(state_of(stopped.tid()) == 'T');
	const noted traced(deed::read);
	BOOST_REQUIRE(ptrace(PTRACE_SEIZE, traced.tid(), nullptr, nullptr) ==
	    0);
	check_copy(take(one(), traced.tid()), traced.of(0));
}

BOOST_AUTO_TEST_CASE(more_of_a_stack_is_copied_when_asked_for,
    *description("extend_copy: that piece grows to at least twice its size"))
{
	const noted v({deed::read, deed::deep});
	taken t = take(one(), v.tid(1));
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST(t.copy.stack.more);
	while (fault_of(t.copy, v.of(1)) != "") {
		const std::size_t before = t.copy.stack.bytes.size();
		BOOST_REQUIRE(take_more(one(), t, t.copy.stack.at + before) ==
		    0);
		BOOST_REQUIRE((t.copy.stack.bytes.size() >= 2 * before ||
		    !t.copy.stack.more));
	}
	t.copy.mark++;
	const std::size_t size = t.copy.stack.bytes.size();
	BOOST_TEST(take_more(one(), t, t.copy.stack.at + size) == EAGAIN);
	BOOST_TEST(t.copy.stack.bytes.size() == size);
}

BOOST_AUTO_TEST_CASE(another_stack_is_copied_when_asked_for,
    *description("extend_copy: the piece `other` begins anew, "
    "a red zone below wanted"))
{
	const noted v({deed::read, deed::on_other_stack});
	taken t = take(one(), v.tid(1));
	BOOST_REQUIRE(t.error == 0);
	BOOST_TEST(take_more(one(), t, 8) == EFAULT);
	BOOST_TEST(t.copy.other.bytes.size() == 0u);
	// The return address is below the stamps on aarch64, above on x86-64.
	BOOST_REQUIRE(take_more(one(), t, std::min(v.of(1).stamps,
	    v.of(1).returns[0].where)) == 0);
	BOOST_TEST(fault_of(t.copy, v.of(1)) == "");
	BOOST_TEST(v.of(1).returned == 0u);
}

BOOST_AUTO_TEST_CASE(every_thread_of_a_process_is_reported)
{
	const noted v({deed::read, deed::spin, deed::futex, deed::poll});
	int error;
	const auto all = take_all(all_route(), v.pid(), error);
	BOOST_TEST(error == 0);
	BOOST_TEST(all.size() == 4u);
	for (const std::size_t i : {0, 2, 3})
		check_copy(*all.at(v.tid(i)), v.of(i));
	BOOST_TEST(all.at(v.tid(1))->error == EAGAIN);
	BOOST_TEST(all.at(v.tid(1))->rec.why == STACK9_WHY_ON_CPU);
	take_all(all_route(), v.tid(1), error);
	BOOST_TEST(error == ESRCH);
}

BOOST_AUTO_TEST_CASE(threads_that_come_and_go_are_whole_or_gone)
{
	const noted v({deed::read, deed::come_and_go});
	for (int i = 0; i < 200; i++) {
		int error;
		const auto all = take_all(all_route(), v.pid(), error);
		BOOST_REQUIRE(error == 0);
		check_copy(*all.at(v.pid()), v.of(0));
		for (const auto &[tid, t] : all) {
			BOOST_TEST_INFO(words(*t));
			BOOST_REQUIRE((t->error == 0 || t->error == ESRCH ||
			    t->error == EAGAIN));
		}
	}
}

BOOST_AUTO_TEST_CASE(who_has_no_stack_is_refused_in_words)
{
	noted v(deed::read);
	const pid_t tid = v.tid();
	taken t = take(one(), tid);
	stack9::lead unused;
	stack9::sides s{nullptr, t.rec, t.copy};
	BOOST_TEST(one().copy({tid, tid, t.rec.thread.start + 1}, s, unused) ==
	    ESRCH);
	BOOST_TEST(t.rec.why == STACK9_WHY_REUSED);
	kill(tid, SIGKILL);
	wait_for_state(tid, 'Z');
	const taken dead = take(one(), tid);
	BOOST_TEST(dead.error == ESRCH);
	BOOST_TEST(dead.rec.why == STACK9_WHY_ZOMBIE);
	v.kill_and_reap();
	BOOST_TEST(take(one(), tid).rec.why == STACK9_WHY_GONE);
	if (state_of(2) != 0 && status_number(2, "PPid") == 0) {
		const taken kernel = take(one(), 2);
		BOOST_TEST(kernel.error == EOPNOTSUPP);
		BOOST_TEST(kernel.rec.why == STACK9_WHY_KTHREAD);
	}
}

BOOST_AUTO_TEST_CASE(another_users_thread_is_refused, *needs("root"))
{
	const noted v(deed::read);
	BOOST_TEST(in_child([&] {
		if (setgroups(0, nullptr) != 0 || setgid(65534) != 0 ||
		    setuid(65534) != 0)
			return 80;
		const taken t = take(one(), v.tid());
		return t.rec.why == STACK9_WHY_RIGHTS &&
		    t.rec.reason != nullptr ? t.error : 81;
	}) == EPERM);
}

BOOST_AUTO_TEST_CASE(a_page_that_nobody_brings, *needs("root") * description(
    "a page that a userfaultfd withholds is not waited for"))
{
	int from[2];
	pid_t tid = 0;
	BOOST_REQUIRE(pipe(from) == 0);
	const pid_t pid = beside_a_page_that_nobody_brings(from[1]);
	close(from[1]);
	BOOST_REQUIRE(read(from[0], &tid, sizeof tid) == sizeof tid);
	close(from[0]);
	wait_for_state(tid, 'S');
	taken t = take(one(), tid);
	while (t.error == EAGAIN && t.rec.why == STACK9_WHY_ON_CPU)
		t = take(one(), tid);
	BOOST_TEST_INFO(words(t));
	BOOST_TEST(t.error == 0);
	const auto &stack = t.copy.stack;
	BOOST_TEST(stack.bytes.size() > 0u);
	int error = 0;
	while (error == 0 && stack.more)	// up to that page
		error = take_more(one(), t, stack.at + stack.bytes.size());
	BOOST_TEST((error == 0 || error == EFAULT));
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
}

BOOST_AUTO_TEST_CASE(no_descriptor_stays_open)
{
	const noted v({deed::read, deed::spin});
	const std::size_t before = open_files();
	int error;
	take(one(), v.tid(0));
	take(one(), v.tid(1));
	take_all(all_route(), v.pid(), error);
	BOOST_TEST(open_files() == before);
}
