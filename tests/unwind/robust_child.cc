// Runs scenarios in children, and says what became of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_child.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/text.h"

using lib::read_all;

namespace {

int to_parent = -1;

void
send(const char *prefix, const char *format, std::va_list args)
{
	char text[1024];
	const int start = std::snprintf(text, sizeof text, "%s", prefix);
	const int size = start + std::vsnprintf(text + start,
	    sizeof text - static_cast<std::size_t>(start) - 1, format, args);
	const auto length = std::min(static_cast<std::size_t>(size),
	    sizeof text - 2);
	text[length] = '\n';
	if (write(to_parent, text, length + 1) < 0)
		_exit(2);
}

// Boost's handlers would jump back into the parent's test of the same name.
void
forget_handlers()
{
	for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM,
	    SIGTRAP})
		signal(s, SIG_DFL);
	stack_t none{};
	none.ss_flags = SS_DISABLE;
	sigaltstack(&none, nullptr);
	const rlimit no_core{0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
}

[[noreturn]] void
be_child(const std::function<void()> &scenario, int out)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	forget_handlers();
	to_parent = out;
	scenario();
	_exit(0);
}

// Lines that begin with # go to the log, the others are returned.
std::string
sort_lines(const std::string &all)
{
	std::string failures;
	for (std::size_t at = 0; at < all.size();) {
		const std::size_t end = all.find('\n', at);
		const std::string line = all.substr(at, end - at);
		if (line.starts_with("#"))
			BOOST_TEST_MESSAGE(line.substr(2));
		else
			failures += (failures.empty() ? "" : "; ") + line;
		at = end == all.npos ? all.size() : end + 1;
	}
	return failures;
}

std::string
outcome(int status, bool ended, const std::string &said)
{
	if (!ended)
		return "hangs" + (said.empty() ? "" : ": " + said);
	if (WIFSIGNALED(status))
		return std::string("killed: ") + strsignal(WTERMSIG(status)) +
		    (said.empty() ? "" : ": " + said);
	return WEXITSTATUS(status) != 0 && said.empty() ?
	    "exits with " + std::to_string(WEXITSTATUS(status)) : said;
}

} // namespace

std::string
in_child(const std::function<void()> &scenario, int seconds)
{
	int ends[2];
	if (pipe(ends) != 0)
		return "no pipe";
	const pid_t pid = fork();
	if (pid == 0)
		be_child(scenario, ends[1]);
	close(ends[1]);
	pollfd child{static_cast<int>(syscall(SYS_pidfd_open, pid, 0)), POLLIN,
	    0};
	// The guests of tests/kernels are emulated, and share their CPUs.
	if (std::getenv("STACK9_KERNEL") != nullptr)
		seconds *= 4;
	const bool ended = poll(&child, 1, seconds * 1000) == 1;
	if (!ended)
		kill(pid, SIGKILL);
	int status = 0;
	waitpid(pid, &status, 0);
	close(child.fd);
	const std::string said = sort_lines(read_all(ends[0]));
	close(ends[0]);
	return outcome(status, ended, said);
}

void
must(bool held, const char *what)
{
	if (!held)
		broken("not so: %s", what);
}

void
broken(const char *format, ...)
{
	std::va_list args;
	va_start(args, format);
	send("", format, args);
	_exit(1);
}

void
tell(const char *format, ...)
{
	std::va_list args;
	va_start(args, format);
	send("# ", format, args);
	va_end(args);
}

std::string
beside_this_program(const std::string &name)
{
	return std::filesystem::read_symlink("/proc/self/exe").parent_path() /
	    name;
}
