// Forks a process that waits for a byte from a pipe.  Another pipe delivers the
// errno of a failed exec.  A successful exec closes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "command.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace events {
namespace {

void
close_both(const int (&fd)[2])
{
	close(fd[0]);
	close(fd[1]);
}

// The parent closed the pipe: the watch could not be started.
[[noreturn]] void
become(const std::vector<std::string> &words, int go, int failed)
{
	std::vector<char *> argv;
	for (const std::string &word : words)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	char c;
	if (read(go, &c, 1) != 1)
		_exit(127);
	execvp(argv[0], argv.data());
	const int error = errno;
	if (write(failed, &error, sizeof error) < 0)
		_exit(126);
	_exit(127);
}

} // namespace

command::~command()
{
	if (pid_ > 0 && !ended())
		kill(pid_, SIGTERM);
	for (const int fd : {go_, failed_})
		if (fd >= 0)
			close(fd);
}

int
command::start(const std::vector<std::string> &words)
{
	int go[2], failed[2];
	if (pipe2(go, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(failed, O_CLOEXEC) != 0) {
		const int error = errno;
		close_both(go);
		return error;
	}
	pid_ = fork();
	const int error = pid_ < 0 ? errno : 0;
	if (pid_ == 0) {
		close(go[1]);
		become(words, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	go_ = go[1];
	failed_ = failed[0];
	return error;
}

int
command::release()
{
	if (pid_ <= 0)
		return 0;
	int error = 0;
	ssize_t n;
	if (write(go_, "", 1) != 1)
		return errno;
	do
		n = read(failed_, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	return n == sizeof error ? error : 0;
}

bool
command::ended()
{
	if (pid_ > 0 && !ended_)
		ended_ = waitpid(pid_, nullptr, WNOHANG) == pid_;
	return ended_;
}

} // namespace events
