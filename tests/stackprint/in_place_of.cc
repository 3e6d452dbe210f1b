// Makes system calls in the place of a stopped process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "in_place_of.h"

#ifdef __x86_64__

#include <cerrno>

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <boost/test/unit_test.hpp>

inside::inside(pid_t pid) : pid_(pid)
{
	ptrace(PTRACE_GETREGS, pid, nullptr, &before_);
}

inside::~inside()
{
	ptrace(PTRACE_SETREGS, pid_, nullptr, &before_);
}

unsigned long
inside::put(const void *bytes, std::size_t size)
{
	const unsigned long to = (before_.rsp - 65536) & ~15ul;
	const iovec from{const_cast<void *>(bytes), size};
	const iovec there{reinterpret_cast<void *>(to), size};
	BOOST_REQUIRE(process_vm_writev(pid_, &from, 1, &there, 1, 0) ==
	    static_cast<ssize_t>(size));
	return to;
}

long
inside::call(long number, std::vector<unsigned long> arguments)
{
	registers r = before_;
	arguments.resize(6);
	r.rip -= 2;		// the instruction syscall
	r.rax = static_cast<unsigned long>(number);
	r.rdi = arguments[0];
	r.rsi = arguments[1];
	r.rdx = arguments[2];
	r.r10 = arguments[3];
	r.r8 = arguments[4];
	r.r9 = arguments[5];
	ptrace(PTRACE_SETREGS, pid_, nullptr, &r);
	go_on();
	go_on();
	ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
	// A call that a filter traps returns its number, and the
	// handler of SIGSYS gives it another result.
	if (number == SYS_openat && r.rax == SYS_openat)
		for (bool last = false; !last && is_there_;) {
			go_on();
			ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
			last = r.orig_rax == SYS_rt_sigreturn;
			if (last)
				go_on();
			ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
		}
	return is_there_ ? static_cast<long>(r.rax) : -ESRCH;
}

void
inside::go_on()
{
	int status = 0;
	for (long signal = 0; is_there_; signal = WSTOPSIG(status)) {
		ptrace(PTRACE_SYSCALL, pid_, nullptr, signal);
		is_there_ = waitpid(pid_, &status, __WALL) == pid_ &&
		    WIFSTOPPED(status);
		if (is_there_ && WSTOPSIG(status) == (SIGTRAP | 0x80))
			return;
	}
}

#endif
