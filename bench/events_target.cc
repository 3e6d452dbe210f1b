// Starts the program whose events are watched, and talks to it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "events_target.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

std::string
beside(const std::string &name)
{
	char path[4096];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
	const std::string self(path, n > 0 ? static_cast<std::size_t>(n) : 0);
	return self.substr(0, self.rfind('/') + 1) + name;
}

events_target::events_target(int depth, const char *stacks)
    : stacks_(stacks)
{
	const std::string path = beside("events_worker");
	const std::string word = std::to_string(depth);
	int to[2], from[2];
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		abort();
	pid_ = fork();
	if (pid_ == 0) {
		dup2(to[0], 0);
		dup2(from[1], 1);
		execl(path.c_str(), path.c_str(), word.c_str(), nullptr);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	to_ = fdopen(to[1], "w");
	from_ = fdopen(from[0], "r");
}

events_target::~events_target()
{
	std::fclose(to_);
	std::fclose(from_);
	waitpid(pid_, nullptr, 0);	// its input has ended
}

took
events_target::calls(long n, double rate,
    const std::function<void()> &meanwhile)
{
	std::fprintf(to_, "%ld %f %s\n", n, rate, stacks_);
	std::fflush(to_);
	pollfd p{fileno(from_), POLLIN, 0};
	while (poll(&p, 1, meanwhile ? 0 : -1) == 0 || errno == EINTR)
		meanwhile();
	took t;
	if (std::fscanf(from_, "%lf %lf %lf", &t.all, &t.least, &t.median) != 3)
		abort();
	return t;
}
