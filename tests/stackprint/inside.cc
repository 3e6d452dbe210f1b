// Runs a command whose readers are stopped, and looked at from inside.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "inside.h"

#include <csignal>
#include <map>
#include <set>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "in_place_of.h"
#include "lender.h"
#include "lib/process.h"
#include "rights_inside.h"

#ifdef __x86_64__

namespace {

bool
reads(pid_t pid, const std::string &marked)
{
	registers r;
	if (ptrace(PTRACE_GETREGS, pid, nullptr, &r) != 0)
		return false;
	const bool read = (r.orig_rax == SYS_pread64 ||
	    r.orig_rax == SYS_read) && r.rdx > few;
	const bool mapped = r.orig_rax == SYS_mmap &&
	    static_cast<long>(r.r8) >= 0;
	return (read && link_of(pid, r.rdi) == marked) ||
	    (mapped && link_of(pid, r.r8) == marked);
}

[[noreturn]] void
become(const std::vector<std::string> &command, uid_t uid, int out)
{
	const int nothing = open("/dev/null", O_RDWR);
	dup2(out, 1);
	dup2(nothing, 2);
	if (uid != 0)
		become_nobody();
	raise(SIGSTOP);
	execv(command[0].c_str(), lib::pointers(command).data());
	_exit(127);
}

} // namespace

reported_inside
run_inside(const std::vector<std::string> &command, const std::string &marked,
    pid_t other, uid_t uid, fate of_reader)
{
	reported_inside told;
	const int out = memfd_create("out", MFD_CLOEXEC);
	const pid_t first = fork();
	BOOST_REQUIRE(first >= 0);
	if (first == 0)
		become(command, uid, out);
	int status;
	BOOST_REQUIRE(waitpid(first, &status, WUNTRACED) == first);
	BOOST_REQUIRE(ptrace(PTRACE_SEIZE, first, nullptr,
	    PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC |
	    PTRACE_O_EXITKILL) == 0);
	kill(first, SIGCONT);
	std::set<pid_t> all{first}, seen;
	std::map<pid_t, bool> in_call;	// between its two stops
	while (!all.empty()) {
		pid_t pid = 0;
		// One that is not ours may be a child of another test's.
		for (const pid_t each : all)
			if (pid_t got = waitpid(each, &status, __WALL |
			    WNOHANG); got == each) {
				pid = each;
				break;
			}
		if (pid == 0) {
			usleep(50);
			continue;
		}
		if (!WIFSTOPPED(status)) {
			if (pid == first)
				told.status = WIFEXITED(status) ?
				    WEXITSTATUS(status) :
				    128 + WTERMSIG(status);
			all.erase(pid);
			continue;
		}
		const int signal = WSTOPSIG(status);
		const int event = status >> 16;
		long deliver = 0;
		if (event == PTRACE_EVENT_FORK) {
			unsigned long child;
			ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
			all.insert(static_cast<pid_t>(child));
		} else if (signal == (SIGTRAP | 0x80)) {
			bool &inside_call = in_call[pid];
			inside_call = !inside_call;
			if (!inside_call && !seen.contains(pid) &&
			    reads(pid, marked)) {
				seen.insert(pid);
				if (of_reader == fate::crashes)
					kill(pid, SIGKILL);
				if (of_reader != fate::becomes_ours)
					continue;
				told.readers.push_back(look(pid, other));
			}
		} else if (event == 0) {
			deliver = signal == SIGSTOP || signal == SIGCONT ||
			    signal == SIGTRAP ? 0 : signal;
		}
		ptrace(PTRACE_SYSCALL, pid, nullptr, deliver);
	}
	told.out.resize(static_cast<std::size_t>(lseek(out, 0, SEEK_END)));
	BOOST_REQUIRE(pread(out, told.out.data(), told.out.size(), 0) ==
	    static_cast<ssize_t>(told.out.size()));
	close(out);
	return told;
}

#else

reported_inside
run_inside(const std::vector<std::string> &, const std::string &, pid_t, uid_t,
    fate)
{
	return {};
}

#endif
