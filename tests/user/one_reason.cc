// Tests that a stack that cannot be read to its end has one reason, whether its
// own thread or another process captures it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <stack9.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "require.h"

namespace {

constexpr std::uintptr_t page = 65536;	// the largest of any CPU
constexpr int frames_deep = 32;	// of page / 8 bytes and more

struct answers {
	pid_t	tid;
	int	error, why;
};

answers
of_itself()
{
	std::uint64_t pcs[512];
	stack9_self self{};
	self.size = sizeof self;
	const int error = stack9_save_self(pcs, 512, 0, &self);
	return {static_cast<pid_t>(syscall(SYS_gettid)), error, self.why};
}

// A page of the outer frames is unmapped: others can read a page that is only
// forbidden.  The thread goes on only if its parent has ended.
[[gnu::noinline]] void
lose_a_page(int tell)
{
	const auto here = reinterpret_cast<std::uintptr_t>(
	    __builtin_frame_address(0));
	munmap(reinterpret_cast<void *>((here / page + 2) * page), page);
	const answers a = of_itself();
	if (write(tell, &a, sizeof a) != sizeof a)
		_exit(1);
	while (getppid() != 1)
		pause();
}

[[gnu::noinline]] int
deeper(int depth, int tell)
{
	volatile char room[page / 8];
	room[0] = static_cast<char>(depth);
	if (depth <= 0) {
		lose_a_page(tell);
		return 0;
	}
	return deeper(depth - 1, tell) + room[0];
}

int
why_of(pid_t pid, pid_t tid)
{
	const stack9_thread td{tid, pid, 0};
	stack9_sample *s = nullptr;
	const int error = stack9_save(&td, STACK9_USER, nullptr, &s);
	const int why = error != 0 || s == nullptr ? -1 : s->user->why;
	stack9_sample_close(s);
	return why;
}

} // namespace

BOOST_AUTO_TEST_CASE(one_condition_has_one_reason, *needs("root") *
    boost::unit_test::description("STACK9_WHY_MEMORY where the last frame's "
    "stack cannot be read, whoever captures it"))
{
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		std::thread([&] { deeper(frames_deep, ends[1]); }).join();
		_exit(1);
	}
	close(ends[1]);
	answers own{-1, -1, -1};
	BOOST_TEST(read(ends[0], &own, sizeof own) ==
	    static_cast<ssize_t>(sizeof own));
	BOOST_TEST(own.error == 0);
	BOOST_TEST(own.why == STACK9_WHY_MEMORY);
	BOOST_TEST(why_of(pid, own.tid) == own.why);
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	close(ends[0]);
}
