// Tests the own stack in a child of a process whose other thread held the
// loader's lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <future>
#include <thread>

#include <link.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

namespace {

struct holder {
	std::promise<void>	held, release;
};

int
stay(dl_phdr_info *, std::size_t, void *arg)
{
	holder &h = *static_cast<holder *>(arg);
	h.held.set_value();
	h.release.get_future().wait();
	return 1;
}

// 0: the stack is glibc's, or that cut at max.
[[gnu::noinline]] int
compare(stack9::own_route &r, std::uint32_t max)
{
	const std::uintptr_t first = RETURN_ADDRESS();
	std::vector<std::uintptr_t> truth;
	note_truth(truth, first);
	capture c(max);
	if (c.save(r, {}, first) != 0)
		return 1;
	if (truth.size() <= max)
		return c.frames() == truth &&
		    c.rec.why == STACK9_WHY_NONE ? 0 : 2;
	truth.resize(max);
	return c.frames() == truth && c.rec.why == STACK9_WHY_TRUNCATED &&
	    c.rec.dropped > 0 ? 0 : 3;
}

[[gnu::noinline]] int
descend(int depth, stack9::own_route &r, std::uint32_t max)
{
	const int result = depth > 1 ? descend(depth - 1, r, max) :
	    compare(r, max);
	asm volatile("" ::: "memory");
	return result;
}

// The status of a child that would hang with all signals blocked.
int
status_of(pid_t child)
{
	const int fd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
	pollfd end{fd, POLLIN, 0};
	if (poll(&end, 1, 30000) != 1)
		kill(child, SIGKILL);
	close(fd);
	int status = -1;
	waitpid(child, &status, 0);
	return status;
}

} // namespace

BOOST_AUTO_TEST_CASE(own_stack_in_a_child_does_not_wait_for_the_loaders_lock,
    *boost::unit_test::description("A child of fork(2) may use every call"))
{
	holder h;
	std::thread other([&] { dl_iterate_phdr(stay, &h); });
	h.held.get_future().wait();
	for (stack9::own_route *r : own_routes())
		for (const std::uint32_t max : {1u, 18u, 64u, 100u, 256u}) {
			const pid_t child = fork();
			if (child == 0)
				_exit(descend(20, *r, max));
			BOOST_TEST_INFO(r->name << " " << max);
			BOOST_TEST(status_of(child) == 0);
		}
	h.release.set_value();
	other.join();
}
