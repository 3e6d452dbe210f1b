// Says what a process is doing, by its own word and the kernel's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "worker.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "lib/process.h"
#include "lib/queued.h"

using lib::state_of;

bool
wait_for_state(pid_t pid, char state, long nr)
{
	for (;;) {
		const char now = state_of(pid);
		if (now == state && (nr == -1 || is_in_call(pid, nr)))
			return true;
		if (now == 'Z' || now == '\0')
			return false;
		sched_yield();
	}
}

worker::worker(void (*place)(int))
{
	int orders[2], ready[2];
	BOOST_REQUIRE(pipe2(orders, O_CLOEXEC) == 0);
	BOOST_REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)!write(ready[1], "", 1);
		place(orders[0]);
		_exit(0);
	}
	output_ = orders[1];
	close(orders[0]);
	close(ready[1]);
	char c;
	BOOST_REQUIRE(read(ready[0], &c, 1) == 1);
	close(ready[0]);
}

worker::~worker()
{
	kill_and_wait();
	close(output_);
}

void
worker::order()
{
	BOOST_REQUIRE(write(output_, "", 1) == 1);
}

void
worker::wait_for_end()
{
	if (!is_over_)
		waitpid(pid, nullptr, 0);
	is_over_ = true;
}

void
worker::kill_and_wait()
{
	if (!is_over_)
		kill(pid, SIGKILL);
	wait_for_end();
}

running_stackprint::running_stackprint(std::vector<std::string> args)
{
	int mine[2];
	BOOST_REQUIRE(pipe2(mine, O_CLOEXEC) == 0);
	args.insert(args.begin(), STACKPRINT);
	const auto report_pid = [fd = mine[1]] {
		const pid_t self = getpid();
		(void)!write(fd, &self, sizeof self);
	};
	result_ = std::async(std::launch::async, [=] {
		return run(args, {.before_exec = report_pid});
	});
	BOOST_REQUIRE(read(mine[0], &pid_, sizeof pid_) == sizeof pid_);
	close(mine[0]);
	close(mine[1]);
}

bool
running_stackprint::waits() const
{
	return wait_for_state(pid_, 'S', SYS_ppoll);
}

void
running_stackprint::interrupt(int signo) const
{
	kill(pid_, signo);
}

void
running_stackprint::halt() const
{
	kill(pid_, SIGSTOP);
	wait_for_state(pid_, 'T');
}

void
running_stackprint::go_on() const
{
	kill(pid_, SIGCONT);
}
