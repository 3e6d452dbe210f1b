// Starts children, and captures them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <boost/test/unit_test.hpp>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/queued.h"

namespace api {

child::child(const std::function<void(int)> &body)
{
	int fds[2];
	BOOST_REQUIRE(pipe(fds) == 0);
	const pid_t parent = getpid();
	pid_ = fork();
	BOOST_REQUIRE(pid_ >= 0);
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		close(fds[1]);
		body(fds[0]);
		_exit(0);
	}
	close(fds[0]);
	to_ = fds[1];
}

child::~child()
{
	end();
	close(to_);
}

void
child::end()
{
	lib::kill_and_reap(pid_);
}

stack9_thread
child::thread() const
{
	stack9_thread td{};
	BOOST_REQUIRE(stack9_thread_find(pid_, &td) == 0);
	return td;
}

void
child::send() const
{
	BOOST_REQUIRE(write(to_, "x", 1) == 1);
}

void
child::wait_for_sleep() const
{
	for (char state = '?'; state != 'S' || is_queued(pid_); sched_yield()) {
		state = lib::state_of(pid_);
		BOOST_REQUIRE((state != 'Z' && state != '\0'));
	}
}

sample
save(const stack9_thread &td, int side, const stack9_save_options *options)
{
	stack9_sample *s = nullptr;
	const int error = stack9_save(&td, side, options, &s);
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	BOOST_REQUIRE(s != nullptr);
	return sample(s);
}

std::vector<std::string>
names_of(const stack9_stack *stack, unsigned int flags)
{
	std::vector<std::string> names;
	BOOST_REQUIRE(stack != nullptr);
	BOOST_TEST(stack9_frames(stack, flags,
	    [](void *to, const stack9_frame *f) {
		    static_cast<std::vector<std::string> *>(to)->
			push_back(f->name);
		    return 0;
	    }, &names) == 0);
	return names;
}

bool
has(const std::vector<std::string> &names, const std::string &name)
{
	return std::find(names.begin(), names.end(), name) != names.end();
}

[[gnu::noinline]] void
child_waits(int fd)
{
	char byte;
	while (read(fd, &byte, 1) == 1)
		;
}

} // namespace api
