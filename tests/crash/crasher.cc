// Installs the crash handler and crashes as its argument says.
//
//	crasher MODE [FLAGS]
//
// The report goes to standard output; standard error has a line for each step
// of the program itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "crowd.h"
#include "faults.h"

namespace {

std::string plugin;

void
crash(const std::string &mode)
{
	if (mode == "null")
		read_through(nullptr);
	else if (mode == "registers")
		crash_with_registers();
	else if (mode == "overflow")
		recurse(0);
	else if (mode == "overflow-thread") {
		start_overflow();
		pause();
	} else if (mode == "heap")
		broken_heap();
	else if (mode == "abort")
		std::abort();
	else if (mode == "throw")
		throw 1;
	else if (mode == "loader")
		dlopen(plugin.c_str(), RTLD_NOW);
	else if (mode == "threads") {
		start_threads();
		read_through(nullptr);
	} else if (mode == "untraced") {
		start_threads();
		forbid({SYS_ptrace});
		read_through(nullptr);
	} else if (mode == "alone") {
		start_threads();
		forbid({SYS_clone, SYS_clone3});
		read_through(nullptr);
	} else if (mode == "names")
		break_names(plugin);
	else if (mode == "recover") {
		crash_and_recover();
		crash_and_recover();
	} else if (mode == "child") {
		if (const pid_t child = fork(); child == 0)
			read_through(nullptr);
		else {
			int status;
			waitpid(child, &status, 0);
			say(WIFSIGNALED(status) && WTERMSIG(status) ==
			    SIGSEGV ? "child: SIGSEGV\n" : "child: ?\n");
		}
	} else if (mode == "both") {
		start_second_crash();
		read_through(nullptr);
	} else if (mode == "removed") {
		stack9_crash_remove();
		read_through(nullptr);
	} else if (mode == "jump") {
		void (*volatile nowhere)() = nullptr;
		nowhere();
	} else if (mode == "divide") {
		volatile int zero = 0;
		volatile int result = 1 / zero;
		static_cast<void>(result);
		raise(SIGFPE);	// where the CPU gives 0
	} else if (mode == "trap")
		__builtin_trap();
	else if (mode == "bus") {
		FILE *const empty = tmpfile();
		read_through(static_cast<int *>(mmap(nullptr, 4096, PROT_READ,
		    MAP_SHARED, fileno(empty), 0)));
	} else if (mode == "raise")
		kill(getpid(), SIGBUS);
	else if (mode == "ignored") {
		kill(getpid(), SIGSYS);
		say("went on\n");
	} else if (mode == "wait")
		for (;;)
			pause();
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc < 2 || !begin_crowd())
		return 9;
	const std::string mode = argv[1];
	plugin = argc > 3 ? argv[3] : "";
	if (mode == "recover")
		install_previous(argc > 4 ? SA_ONSTACK : 0);
	if (mode == "ignored")
		signal(SIGSYS, SIG_IGN);
	const unsigned int flags = argc > 2 ?
	    static_cast<unsigned int>(std::atoi(argv[2])) : 0;
	if (stack9_crash_install(STDOUT_FILENO, flags) != 0)
		return 9;
	say("installed\n");
	crash(mode);
	return 0;
}
