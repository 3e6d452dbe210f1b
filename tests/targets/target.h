// Holds programs of many kinds still where they are known to be.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <sys/types.h>

#include "lib/scratch.h"

using lib::scratch;

using frames = std::vector<std::uintptr_t>;
using stacks = std::map<pid_t, frames>;	// by tid

// Killed and reaped when it goes.
class target {
public:
	// before is run in it, before the program is; namespaces: CLONE_NEW*,
	// that it gets of its own.  Waits until it says that it is ready and,
	// unless it spins, until each thread is blocked.
	explicit target(std::vector<std::string> args, bool spins = false,
	    const std::function<bool()> &before = {}, int namespaces = 0);
	target(const target &) = delete;
	target &operator=(const target &) = delete;
	~target();

	pid_t pid() const { return pid_; }
	std::vector<pid_t> tids() const;
	// Return addresses that its functions have noted, innermost first: each
	// is on the stack of the thread that did.
	const frames &noted() const { return noted_; }

	// By SIGSTOP: a tracer may look through it.
	void stop();
	void go_on();

private:
	bool read_report(int fd);
	void wait_until(const char *states) const;

	pid_t	pid_ = -1;
	int	input_ = -1;
	frames	noted_;
};

// A program of this folder, by its name; "" if it was not built.
std::string program(const std::string &name);
// Skips a test, with this reason, where it was not.
boost::unit_test::decorator::precondition built(const char *name);

// True of the function of the C library that a thread begins in: clone3(), or
// clone() where a container's filter refuses clone3(2).
bool begins_a_thread(const std::string &name);

// The path of what is mapped there now, and whether it may be run.
std::string mapped_at(pid_t, std::uintptr_t);
bool is_code(pid_t, std::uintptr_t);
