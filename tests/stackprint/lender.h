// Makes programs that lend their rights, and processes that somebody may or may
// not trace.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "child.h"

inline constexpr uid_t nobody = 65534;

// In a child, before exec.
void become_nobody();

// A copy of stackprint, on the fake library unless another is named, with
// rights of its own.
class lender {
public:
	// caps: as cap_from_text(3) has them; NULL: set-user-ID root.
	explicit lender(const char *caps,
	    const char *program = STACKPRINT_FAKE);
	~lender();
	lender(const lender &) = delete;
	lender &operator=(const lender &) = delete;

	// who: NULL: root.
	const std::string &path() const { return path_; }
	said operator()(std::vector<std::string> args,
	    const std::string &words = "",
	    void (*who)() = become_nobody) const;

private:
	const std::string	dir_, path_;
};

// A process that waits; ready when it is what it should be.  SIGUSR1 makes it
// one that is not dumpable.
class victim {
public:
	victim(uid_t uid, bool dumpable);
	~victim();
	victim(const victim &) = delete;
	victim &operator=(const victim &) = delete;

	std::string
	name() const
	{
		return std::to_string(pid_);
	}

private:
	pid_t pid_;
};
