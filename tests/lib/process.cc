// Starts and ends children of the tests, and waits for states of threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "process.h"

#include <csignal>
#include <cstdio>
#include <ctime>
#include <stdexcept>

#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "queued.h"
#include "text.h"

namespace lib {

char
state_of(pid_t tid)
{
	const std::string text = contents("/proc/" + std::to_string(tid) +
	    "/stat");
	const auto paren = text.rfind(')');
	return paren == text.npos || paren + 2 >= text.size() ? '\0' :
	    text[paren + 2];
}

void
wait_for_state(pid_t tid, char state)
{
	while (state_of(tid) != state || (state != 'R' && is_queued(tid)))
		sched_yield();
}

std::uint64_t
boot_ns()
{
	timespec now{};
	clock_gettime(CLOCK_BOOTTIME, &now);
	return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
	    static_cast<std::uint64_t>(now.tv_nsec);
}

pipe_ends
make_pipe()
{
	int p[2];
	if (pipe2(p, O_CLOEXEC) != 0)
		throw std::runtime_error("no pipe");
	return {p[0], p[1]};
}

std::vector<char *>
pointers(const std::vector<std::string> &words)
{
	std::vector<char *> all;
	for (const std::string &w : words)
		all.push_back(const_cast<char *>(w.c_str()));
	all.push_back(nullptr);
	return all;
}

void
as_child()
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (const int s : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGTERM, SIGALRM,
	    SIGPIPE})
		signal(s, SIG_DFL);
}

void
become(const std::vector<std::string> &words, int in, int out, int err,
    const std::function<bool()> &before)
{
	as_child();
	const int from[] = {in, out, err};
	for (int to = 0; to < 3; to++)
		if (from[to] >= 0 && dup2(from[to], to) != to)
			_exit(127);
	if (!before || before())
		execvp(words[0].c_str(), pointers(words).data());
	_exit(127);
}

void
kill_and_reap(pid_t &pid)
{
	if (pid > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, __WALL);
	}
	pid = -1;
}

int
exit_of(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    1000 + WTERMSIG(status);
}

int
in_child(const std::function<int()> &body)
{
	std::fflush(nullptr);
	const pid_t pid = fork();
	if (pid == 0) {
		as_child();
		const int result = body();
		std::fflush(nullptr);
		_exit(result);
	}
	int status = -1;
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		throw std::runtime_error("no child");
	return exit_of(status);
}

namespace {

pid_t
fork_as(pid_t id)
{
	if (id == 0)
		return fork();
	clone_args args{};
	args.exit_signal = SIGCHLD;
	args.set_tid = reinterpret_cast<std::uintptr_t>(&id);
	args.set_tid_size = 1;
	return static_cast<pid_t>(syscall(SYS_clone3, &args, sizeof args));
}

} // namespace

child::child(const std::function<void()> &f, pid_t as)
{
	const pipe_ends ready = make_pipe();
	std::fflush(nullptr);
	pid_ = fork_as(as);
	if (pid_ == 0) {
		as_child();
		if (f)
			f();
		if (write(ready.w, "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready.w);
	char byte;
	const bool begun = pid_ > 0 && read(ready.r, &byte, 1) == 1;
	close(ready.r);
	if (!begun)
		throw std::runtime_error("a child has ended too early");
}

void
child::kill_only() const
{
	kill(pid_, SIGKILL);
	siginfo_t info;
	waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT);
}

} // namespace lib
