// Makes a process whose threads do as they are asked, and reads the output of a
// program while it runs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "followed.h"

#include <algorithm>
#include <csignal>
#include <new>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "lib/process.h"
#include "place.h"
#include "worker.h"

using std::chrono::steady_clock;

namespace {

int moving[2], leaving[2];
wakings *shared_wakings;

pid_t
start(void (*f)())
{
	int ready[2];
	pid_t tid = 0;
	(void)!pipe(ready);
	std::thread([f, to = ready[1]] {
		const pid_t me = gettid();
		(void)!write(to, &me, sizeof me);
		f();
	}).detach();
	(void)!read(ready[0], &tid, sizeof tid);
	close(ready[0]);
	close(ready[1]);
	return tid;
}

void
sleep_for_good()
{
	for (;;)
		pause();
}

void
read_and_sleep()
{
	char c;
	(void)!read(moving[0], &c, 1);
	sleep_for_good();
}

void
wake()
{
	wakings &w = *shared_wakings;
	for (;; usleep(1000)) {
		const steady_clock::time_point now = steady_clock::now();
		w.longest = std::max(w.longest.load(), now - w.last.load());
		w.last = now;	// after the other
	}
}

void
leave()
{
	char c;
	(void)!read(leaving[0], &c, 1);
}

[[noreturn]] void
obey(int sleepers, bool wakes, int orders, int answers)
{
	pid_t told[2] = {};
	(void)!pipe(moving);
	(void)!pipe(leaving);
	for (int i = 0; i < sleepers; i++)
		demo::wait_until_asleep_in(start(sleep_for_good), SYS_pause);
	told[0] = start(read_and_sleep);
	demo::wait_until_asleep_in(told[0], SYS_read);
	if (wakes)
		told[1] = start(wake);
	(void)!write(answers, told, sizeof told);
	for (char c; read(orders, &c, 1) == 1;)
		if (c == 'm')
			(void)!write(moving[1], "", 1);
		else if (c == 'a')
			start(leave);
		else
			(void)!write(leaving[1], "", 1);
	_exit(0);
}

} // namespace

followed::followed(int sleepers, bool wakes)
{
	int orders[2], answers[2];
	pid_t told[2] = {};
	void *const shared = mmap(nullptr, sizeof(wakings),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	BOOST_REQUIRE(shared != MAP_FAILED);
	wakings_ = new (shared) wakings{};
	BOOST_REQUIRE(pipe2(orders, O_CLOEXEC) == 0);
	BOOST_REQUIRE(pipe2(answers, O_CLOEXEC) == 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(orders[1]);
		shared_wakings = wakings_;
		obey(sleepers, wakes, orders[0], answers[1]);
	}
	close(orders[0]);
	close(answers[1]);
	orders_ = orders[1];
	BOOST_REQUIRE(read(answers[0], told, sizeof told) == sizeof told);
	close(answers[0]);
	mover = told[0];
	waker = told[1];
	BOOST_REQUIRE(wait_for_state(pid, 'S', SYS_read));
}

followed::~followed()
{
	kill_and_wait();
	close(orders_);
	munmap(wakings_, sizeof *wakings_);
}

// The thread may be off its CPU still.  It notes the longest sleep before the
// last one, so they are read the other way round.
steady_clock::duration
followed::longest_sleep() const
{
	const steady_clock::time_point last = wakings_->last;
	return std::max(steady_clock::now() - last, wakings_->longest.load());
}

void
followed::kill_and_wait()
{
	lib::kill_and_reap(pid);
}

void
followed::tell(char what) const
{
	BOOST_REQUIRE(write(orders_, &what, 1) == 1);
}

void
followed::move() const
{
	tell('m');
}

void
followed::add() const
{
	tell('a');
}

void
followed::remove() const
{
	tell('r');
}

running_program::running_program(const std::vector<std::string> &command)
{
	int out[2];
	BOOST_REQUIRE(pipe2(out, O_CLOEXEC) == 0);
	pid_ = fork();
	if (pid_ == 0)
		lib::become(command, -1, out[1], out[1]);
	close(out[1]);
	out_ = out[0];
}

running_program::~running_program()
{
	lib::kill_and_reap(pid_);
	close(out_);
}

std::string
running_program::until(const std::string &text)
{
	constexpr int longest_ms = 30'000;
	for (;;) {
		const std::size_t at = read_.find(text);
		if (at != read_.npos) {
			const std::string found = read_.substr(0,
			    at + text.size());
			read_.erase(0, found.size());
			return found;
		}
		char more[4096];
		pollfd p{out_, POLLIN, 0};
		const ssize_t n = poll(&p, 1, longest_ms) == 1 ?
		    read(out_, more, sizeof more) : 0;
		if (n <= 0)
			return {};
		read_.append(more, static_cast<std::size_t>(n));
	}
}

void
running_program::interrupt() const
{
	kill(pid_, SIGINT);
}

int
running_program::end()
{
	int status = 0;
	waitpid(pid_, &status, 0);
	pid_ = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
}
