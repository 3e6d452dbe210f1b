// Makes a process of sleepers: each thread is reported once it sleeps, and the
// first thread is waited for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sleepers.h"

#include <atomic>
#include <csignal>
#include <thread>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "place.h"

namespace {

int never[2];	// a pipe that nobody writes to

pid_t
start_one()
{
	std::atomic<pid_t> tid{0};
	std::thread([&tid] {
		tid.store(gettid());
		tid.notify_one();
		char c;
		(void)!read(never[0], &c, 1);
	}).detach();
	tid.wait(0);
	return tid.load();
}

[[noreturn]] void
sleep_for_ever(int n, int ready)
{
	if (pipe(never) != 0)
		_exit(1);
	for (int i = 0; i < n; i++) {
		const pid_t tid = start_one();
		demo::wait_until_asleep_in(tid, SYS_read);
		(void)!write(ready, &tid, sizeof tid);
	}
	for (;;)
		ppoll(nullptr, 0, nullptr, nullptr);
}

} // namespace

sleepers::sleepers(int n, void (*before)())
{
	int ready[2];
	BOOST_REQUIRE(pipe(ready) == 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (before != nullptr)
			before();
		sleep_for_ever(n, ready[1]);
	}
	close(ready[1]);
	pid_t tid;
	while (tids.size() < static_cast<std::size_t>(n) &&
	    read(ready[0], &tid, sizeof tid) == sizeof tid)
		tids.push_back(tid);
	close(ready[0]);
	BOOST_REQUIRE(tids.size() == static_cast<std::size_t>(n));
	demo::wait_until_asleep_in(pid, SYS_ppoll);
}

sleepers::~sleepers()
{
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
}
