// Starts the program that crashes, and has what it reported.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "crashed.h"

#include <chrono>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/text.h"

using lib::read_all;

bool
outcome::has(const char *what) const
{
	return report.find(what) != report.npos;
}

int
outcome::count(const char *what) const
{
	int n = 0;
	for (std::size_t at = 0; (at = report.find(what, at)) != report.npos;
	    at++)
		n++;
	return n;
}

std::string
outcome::thread(const std::string &name) const
{
	const std::size_t at = report.find("(" + name + ")", 1 +
	    report.find('\n'));
	const std::size_t begin = report.rfind('\n', at) + 1;
	const std::size_t end = report.find("\nthread ", at);
	return at == report.npos ? "" : report.substr(begin,
	    end == report.npos ? end : end - begin);
}

bool
outcome::killed_by(int signo) const
{
	return WIFSIGNALED(status) && WTERMSIG(status) == signo;
}

std::ostream &
operator<<(std::ostream &to, const outcome &o)
{
	return to << "status " << o.status << "\n" << o.said << o.report;
}

started
start(const std::vector<std::string> &arguments, bool small)
{
	int report[2], said[2];
	BOOST_REQUIRE(pipe2(report, O_CLOEXEC) == 0);
	BOOST_REQUIRE(pipe2(said, O_CLOEXEC) == 0);
	if (small)
		fcntl(report[0], F_SETPIPE_SZ, 4096);
	std::vector<std::string> words{CRASHER};
	words.insert(words.end(), arguments.begin(), arguments.end());
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(report[1], STDOUT_FILENO);
		dup2(said[1], STDERR_FILENO);
		if (chdir(TEST_DIR) != 0)
			_exit(9);
		execv(CRASHER, lib::pointers(words).data());
		_exit(9);
	}
	close(report[1]);
	close(said[1]);
	return {pid, report[0], said[0]};
}

outcome
end_of(const started &s)
{
	using clock = std::chrono::steady_clock;
	const auto before = clock::now();
	outcome o;
	o.pid = s.pid;
	o.report = read_all(s.report);
	o.said = read_all(s.said);
	close(s.report);
	close(s.said);
	waitpid(s.pid, &o.status, 0);
	o.seconds = std::chrono::duration<double>(clock::now() -
	    before).count();
	return o;
}

outcome
crash(const std::vector<std::string> &arguments)
{
	return end_of(start(arguments));
}
