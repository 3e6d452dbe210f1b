// Starts a program and reads what it prints.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "running.h"

#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"

namespace {

// Reads once what is there; false: at the end.
bool
take(int fd, std::string &to)
{
	char text[65536];
	const ssize_t n = read(fd, text, sizeof text);
	if (n > 0)
		to.append(text, static_cast<std::size_t>(n));
	return n > 0;
}

} // namespace

running::running(const std::vector<std::string> &command)
{
	int o[2], e[2];
	if (pipe2(o, O_CLOEXEC) != 0 || pipe2(e, O_CLOEXEC) != 0)
		throw std::runtime_error("no pipe");
	pid_ = fork();
	if (pid_ == 0)
		lib::become(command, open("/dev/null", O_RDONLY | O_CLOEXEC),
		    o[1], e[1]);
	close(o[1]);
	close(e[1]);
	out_ = o[0];
	err_ = e[0];
}

running::~running()
{
	lib::kill_and_reap(pid_);
	close(out_);
	close(err_);
}

bool
running::says(const std::string &text)
{
	while (err.find(text) == err.npos)
		if (!take(err_, err))
			return false;
	return true;
}

void
running::interrupt() const
{
	kill(pid_, SIGINT);
}

int
running::end()
{
	pollfd fds[] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};
	std::string *const to[] = {&out, &err};
	for (int open = 2; open > 0;) {
		poll(fds, 2, -1);
		for (int i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents != 0 &&
			    !take(fds[i].fd, *to[i])) {
				fds[i].fd = -1;
				open--;
			}
	}
	int status = 0;
	waitpid(pid_, &status, 0);
	pid_ = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    128 + WTERMSIG(status);
}
