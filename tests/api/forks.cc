// Forks while another thread asks for source lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

// True: the last call gave a frame.
bool
name_with_line(stack9_space *space, std::uint64_t pc)
{
	bool seen = false;
	return stack9_frame_at(space, pc, STACK9_FRAMES_LINES,
	    [](void *to, const stack9_frame *f) {
		*static_cast<bool *>(to) = f->start != 0;
		return 0;
	    }, &seen) == 0 && seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(forks, *needs("malloc(3) after fork(2)"))

BOOST_AUTO_TEST_CASE(lines_that_another_thread_was_reading, *needs("ptrace")
    * description("A child of fork(2) may use every call"))
{
	const api::child other([](int fd) {
		char byte;
		(void)!read(fd, &byte, 1);
	});
	other.wait_for_sleep();
	const auto sample = api::save(other.thread(), STACK9_USER);
	stack9_space *const space = sample->user->space;
	const auto pc = reinterpret_cast<std::uint64_t>(&name_with_line);
	std::atomic<bool> stop{false};
	std::thread busy([&] {
		// New addresses: those that were asked for are remembered.
		for (std::uint64_t n = 0; !stop; n++)
			name_with_line(space, pc + n % 65536);
	});
	int good = 0;
	for (int started = 0; good == started && started < 50; started++) {
		const pid_t pid = fork();
		if (pid == 0) {
			alarm(20);	// it may wait for ever
			_exit(name_with_line(space, pc) ? 0 : 1);
		}
		int status = 1;
		good += waitpid(pid, &status, 0) == pid && status == 0;
	}
	BOOST_TEST(good == 50);
	stop = true;
	busy.join();
}

BOOST_AUTO_TEST_SUITE_END()
