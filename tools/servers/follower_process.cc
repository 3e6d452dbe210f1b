// Forks before anything is loaded or opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "follower.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "tools/lib/command_line.h"
#include "tools/lib/program.h"

namespace servers {
namespace {

// An interrupt of the terminal is for the recorder.  It lets this process end.
[[noreturn]] void
follow(const char *program, const std::string &dir, const address &to, int fd)
{
	int status = tools::exit_output;
	std::signal(SIGINT, SIG_IGN);
	std::signal(SIGTERM, SIG_IGN);
	std::signal(SIGPIPE, SIG_IGN);	// TLS that is cut
	try {
		follower f(program, dir, to);
		if (f.open() && refuse_acts() == 0)
			status = f.run(fd);
	} catch (const std::exception &) {
	}
	_exit(status);
}

} // namespace

std::string
follower_process::start(const char *program, const std::string &dir,
    const address &to)
{
	// Its own process would say so, and the recorder would go on.
	if (*tools::one_file != '\0')
		return http().open();
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return std::strerror(errno);
	pid_ = fork();
	if (pid_ == 0) {
		close(ends[1]);
		follow(program, dir, to, ends[0]);
	}
	close(ends[0]);
	fd_ = ends[1];
	return pid_ < 0 ? std::strerror(errno) : "";
}

int
follower_process::wait_for()
{
	int status = 0;
	if (fd_ >= 0)
		close(fd_);
	fd_ = -1;
	if (pid_ <= 0)
		return tools::exit_complete;
	while (waitpid(pid_, &status, 0) < 0 && errno == EINTR)
		;
	pid_ = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
	    int{tools::exit_output};
}

follower_process::~follower_process()
{
	wait_for();
}

} // namespace servers
