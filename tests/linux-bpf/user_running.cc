// Tests threads on a CPU, by the interrupt.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "require.h"
#include "user_child.h"
#include "user_marks.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_running)

namespace {

constexpr std::uint64_t depth = 20;

// The spinners stay on CPU 1, and the test off it, where there are two.
void
stay_on(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

struct off_cpu_1 {
	cpu_set_t before;
	off_cpu_1()
	{
		sched_getaffinity(0, sizeof before, &before);
		if (CPU_COUNT(&before) > 1)
			stay_on(0);
	}
	~off_cpu_1() { sched_setaffinity(0, sizeof before, &before); }
};

// Spins with registers that show whose they are, and says where the loop is.
[[noreturn]] void
spin_marked(child::board &b)
{
#if defined(__x86_64__)
	asm volatile(
	    "lea 1f(%%rip), %%rax\n\tmov %%rax, 8(%0)\n"
	    "lea 2f(%%rip), %%rax\n\tmov %%rax, 16(%0)\n"
	    "mov %%rsp, 24(%0)\n"
	    "movabs $0x1111111111111111, %%rcx\n"
	    "movabs $0x2222222222222222, %%r11\n"
	    "movabs $0x3333333333333333, %%r15\n"
	    "movabs $0x4444444444444444, %%rdi\n"
	    "movq $1, (%0)\n"
	    "1: jmp 1b\n2:"
	    : : "b"(&b.word[0]) : "rax", "rcx", "r11", "r15", "rdi",
	    "memory");
#endif
	b.word[0] = 1;
	for (;;)
		asm volatile("");
}

[[noreturn]] void
spin_in_system_calls(child::board &b)
{
	b.word[0] = 1;
	for (;;)
		syscall(SYS_getppid);
}

// Both jobs, as the core asks them, until the second has an answer.  It may say
// some times that it cannot read the stack just now.
int
take_running(user_capture &c, pid_t tid, bool kernel)
{
	auto *const asleep = usable_route<job::user>("user-iter");
	auto *const ipi = usable_route<job::user_running>("user-ipi");
	if (asleep == nullptr || ipi == nullptr)
		return EOPNOTSUPP;
	const stack9_thread td = thread_named(tid);
	for (int left = 5;;) {
		const int error = c.take(*asleep, td);
		if (error != EAGAIN || c.user.why != STACK9_WHY_ON_CPU) {
			sched_yield();
			continue;
		}
		const int second = c.take(*ipi, td, kernel);
		if (second == EAGAIN && c.user.why == STACK9_WHY_MOVED)
			continue;
		if (second != EAGAIN || --left == 0)
			return second;
		BOOST_TEST_MESSAGE("to be asked again: why " << c.user.why);
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(registers_in_user_mode_are_exact, *needs("bpf")
    * boost::unit_test::description(
    "in user mode: the registers are exactly those"))
{
	const off_cpu_1 restore;
	const child c([](child::board &b) {
		stay_on(1);
		go_down(7, depth, [&] { spin_marked(b); });
	});
	c.told(0);
	for (int i = captures(1000); i > 0; i--) {
		user_capture seen;
		const int error = take_running(seen, c.pid(), i % 2 == 0);
		if (error == EOPNOTSUPP)
			return;
		BOOST_REQUIRE_MESSAGE(error == 0, error << ", why " <<
		    seen.user.why);
		BOOST_REQUIRE_EQUAL(seen.user.state, 'R');
#if defined(__x86_64__)
		BOOST_REQUIRE_EQUAL(seen.copy.known, 0x1ffffu);
		BOOST_REQUIRE(seen.pc() >= c.word(1) &&
		    seen.pc() < c.word(2));
		BOOST_REQUIRE_EQUAL(seen.sp(), c.word(3));
		BOOST_REQUIRE_EQUAL(seen.copy.value[2], 0x1111111111111111u);
		BOOST_REQUIRE_EQUAL(seen.copy.value[11], 0x2222222222222222u);
		BOOST_REQUIRE_EQUAL(seen.copy.value[15], 0x3333333333333333u);
		BOOST_REQUIRE_EQUAL(seen.copy.value[5], 0x4444444444444444u);
#endif
		std::uint64_t marks = 0;
		const char *const fault = fault_of(seen, marks);
		BOOST_REQUIRE_MESSAGE(fault == nullptr, fault);
		BOOST_REQUIRE_EQUAL(marks, depth);
		if (i % 2 == 0) {
			BOOST_REQUIRE_EQUAL(seen.kernel.error, EAGAIN);
			BOOST_REQUIRE(seen.kernel.why ==
			    STACK9_WHY_USER_MODE);
		}
	}
}

BOOST_AUTO_TEST_CASE(in_system_calls_both_sides_go_together, *needs("bpf")
    * boost::unit_test::description(
    "within a system call: those at entry, and the kernel's frames"))
{
	const off_cpu_1 restore;
	const child c([](child::board &b) {
		stay_on(1);
		go_down(7, depth, [&] { spin_in_system_calls(b); });
	});
	c.told(0);
	int in_kernel = 0;
	const int many = captures(10'000);
	for (int i = 0; i < many || in_kernel == 0; i++) {
		user_capture seen;
		const int error = take_running(seen, c.pid(), true);
		if (error == EOPNOTSUPP)
			return;
		BOOST_REQUIRE_MESSAGE(error == 0, error << ", why " <<
		    seen.user.why);
		std::uint64_t marks = 0;
		const char *const fault = fault_of(seen, marks);
		BOOST_REQUIRE_MESSAGE(fault == nullptr, fault);
		BOOST_REQUIRE_EQUAL(marks, depth);
		if (seen.kernel.error == 0) {
			in_kernel++;
			BOOST_REQUIRE(seen.kernel.depth > 0u);
		} else {
			BOOST_REQUIRE_EQUAL(seen.kernel.error, EAGAIN);
		}
	}
	BOOST_TEST_MESSAGE(in_kernel << " of " << many << " in the kernel");
}

BOOST_AUTO_TEST_CASE(who_sleeps_is_not_there, *needs("bpf")
    * boost::unit_test::description(
    "EAGAIN, MOVED: another thread is current there"))
{
	auto *const ipi = usable_route<job::user_running>("user-ipi");
	if (ipi == nullptr)
		return;
	const victim v({doing::read});
	user_capture c;
	c.lead.cpu = 0;
	c.lead.host_tid = v.pid();
	c.lead.start_ns = 1;
	BOOST_TEST(c.take(*ipi, thread_named(v.pid()), true) == EAGAIN);
	BOOST_TEST(c.user.why == STACK9_WHY_MOVED);
	BOOST_TEST(c.kernel.error == EAGAIN);
}

BOOST_AUTO_TEST_SUITE_END()
