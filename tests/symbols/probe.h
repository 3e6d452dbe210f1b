// Does one thing with the lookups in a fresh process and says "ok", or what
// failed: what must not be inherited from the test, such as rights, a table not
// yet read, malloc, other threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "core/seam/symbols.h"

// With the kernel's symbols.
std::string	eagain();
std::string	hidden();
std::string	fork_kallsyms();
std::string	reload();

// With this process's, other threads being at it.
std::string	fork_elf();
std::string	no_lock();

// In a signal handler.
std::string	no_malloc();
std::string	segv_in_malloc();
std::string	stack();

// A function of this program, and whether a lookup found it.
std::uintptr_t	here() noexcept;
bool	is_here(int error, const stack9::symbol_name &) noexcept;

inline std::string
verdict(bool good)
{
	return good ? "ok" : "wrong";
}

// A child must end well by itself; the alarm ends one that waits for ever.
inline bool
child_does(bool (*good)())
{
	const pid_t pid = fork();
	if (pid == 0) {
		alarm(150);
		_exit(good() ? 0 : 1);
	}
	int status = -1;
	waitpid(pid, &status, 0);
	return status == 0;
}
