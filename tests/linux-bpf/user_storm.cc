// Tests threads that wake all the time: no copy is of two moments.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "require.h"
#include "user_child.h"
#include "user_marks.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_storm)

namespace {

// Blocks for so many nanoseconds.  It says where it does: off its CPU a thread
// may be at any other place, too.
void
block(long ns, std::atomic<std::uint64_t> &where)
{
	const timespec t{0, ns};
#if defined(__x86_64__)
	std::uint64_t pc;
	long nr = SYS_nanosleep;
	asm volatile("lea 1f(%%rip), %1\n\tmov %1, (%4)\n\tsyscall\n1:"
	    : "+a"(nr), "=&r"(pc) : "D"(&t), "S"(nullptr), "r"(&where)
	    : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	std::uint64_t pc;
	register long nr asm("x8") = SYS_nanosleep;
	register const timespec *for_so_long asm("x0") = &t;
	register timespec *rest asm("x1") = nullptr;
	asm volatile("adr %1, 1f\n\tstr %1, [%4]\n\tsvc #0\n1:"
	    : "+r"(for_so_long), "=&r"(pc) : "r"(rest), "r"(nr), "r"(&where)
	    : "memory");
#endif
}

[[noreturn]] void
go_down_for_ever(long ns, std::atomic<std::uint64_t> &tid,
    std::atomic<std::uint64_t> &where)
{
	prctl(PR_SET_TIMERSLACK, 1);
	tid = static_cast<std::uint64_t>(gettid());
	for (std::uint64_t round = 1;; round++)
		go_down(round, 3 + round % 30, [&] { block(ns, where); });
}

struct counts {
	int asleep = 0, elsewhere = 0, running = 0, torn = 0;
};

// One capture: counted, and checked if it was taken at the bottom.
void
capture(stack9::user_route &r, pid_t tid, std::uint64_t where, bool kernel,
    counts &n)
{
	user_capture seen;
	const int error = seen.take(r, {tid, 0, 0}, kernel);
	std::uint64_t depth = 0;
	if (error == EAGAIN && seen.user.why == STACK9_WHY_TORN) {
		n.torn++;
	} else if (error == EAGAIN && seen.user.why == STACK9_WHY_ON_CPU) {
		n.running++;
	} else if (error == 0 && seen.pc() != where) {
		n.elsewhere++;
	} else {
		BOOST_REQUIRE_EQUAL(error, 0);
		const char *const fault = fault_of(seen, depth);
		BOOST_REQUIRE_MESSAGE(fault == nullptr,
		    r.name << ": " << fault);
		n.asleep++;
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(no_copy_of_two_moments, *needs("bpf")
    * boost::unit_test::description(
    "10,000 captures of threads that wake all the time: never a mixed stack"))
{
	static constexpr long naps[] = {1'000'000, 50'000, 1000};
	const int many = captures(10'000);
	const child c([](child::board &b) {
		std::vector<std::thread> all;
		for (std::size_t i = 0; i < std::size(naps); i++)
			all.emplace_back(go_down_for_ever, naps[i],
			    std::ref(b.word[2 * i]),
			    std::ref(b.word[2 * i + 1]));
		for (std::thread &t : all)
			t.join();
	});
	for (const std::string &name : sleeper_routes) {
		auto *const r = usable_route<job::user>(name);
		if (r == nullptr)
			continue;
		counts n;
		for (std::size_t i = 0; n.asleep < many; i++) {
			const std::size_t t = i % std::size(naps);
			capture(*r, static_cast<pid_t>(c.told(2 * t)),
			    c.told(2 * t + 1), i % 2 == 0, n);
		}
		BOOST_TEST_MESSAGE(name << ": " << n.asleep << " asleep, " <<
		    n.elsewhere << " elsewhere, " << n.running <<
		    " on a CPU, " << n.torn << " torn");
	}
}

BOOST_AUTO_TEST_SUITE_END()
