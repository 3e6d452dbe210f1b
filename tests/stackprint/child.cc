// Runs a program by fork and exec, and reads both pipes at once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cancellation.h"
#include "lib/process.h"
#include "child.h"

#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct pipe_ends {
	int fd[2];
	pipe_ends()
	{
		if (pipe2(fd, O_CLOEXEC) != 0)
			throw std::runtime_error("pipe2");
	}
	~pipe_ends()
	{
		for (const int d : fd)
			if (d >= 0)
				close(d);
	}
	void
	close_writer()
	{
		close(fd[1]);
		fd[1] = -1;
	}
};

[[noreturn]] void
become(const std::vector<std::string> &command, const setup &how, int out,
    int err)
{
	dup2(out, 1);
	dup2(err, 2);
	signal(SIGPIPE, SIG_DFL);
	std::vector<std::string> env = how.environment;
	env.push_back("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
	if (how.before_exec)
		how.before_exec();
	execve(command[0].c_str(), lib::pointers(command).data(),
	    lib::pointers(env).data());
	_exit(127);
}

// Until both are at their end.
void
read_all(int out, int err, said &s)
{
	pollfd fds[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
	std::string *const to[] = {&s.out, &s.err};
	for (int open = 2; open > 0;) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return;
		for (int i = 0; i < 2; i++) {
			char text[65536];
			if (fds[i].fd < 0 || fds[i].revents == 0)
				continue;
			const ssize_t n = read(fds[i].fd, text, sizeof text);
			if (n > 0) {
				to[i]->append(text, static_cast<size_t>(n));
			} else {
				fds[i].fd = -1;
				open--;
			}
		}
	}
}

} // namespace

said
run(const std::vector<std::string> &command, const setup &how)
{
	pipe_ends out, err;
	const pid_t pid = fork();
	if (pid == 0)
		become(command, how, how.out >= 0 ? how.out : out.fd[1],
		    how.err >= 0 ? how.err : err.fd[1]);
	out.close_writer();
	err.close_writer();
	said s;
	read_all(out.fd[0], err.fd[0], s);
	int status = 0;
	waitpid(pid, &status, 0);
	s.status = WIFEXITED(status) ? WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
	return s;
}

std::size_t
times(const std::string &text, const std::string &needle)
{
	std::size_t n = 0;
	for (auto at = text.find(needle); at != text.npos;
	     at = text.find(needle, at + 1))
		n++;
	return n;
}

std::size_t
in_read(const std::string &text)
{
	const std::string t = without_cancellation(text);
	return times(t, "  user    read+") +
	    times(t, "  user    __libc_read+");
}
