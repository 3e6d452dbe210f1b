// Keeps a program with file capabilities from showing its caller anything that
// the caller could not have seen.  The kernel is asked what that is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <optional>

#include <sys/capability.h>
#include <sys/types.h>

namespace tools {

// True if the rights are the file's (capabilities, or set-user-ID), not the
// caller's.
bool borrowed_rights();

// While an object of this class lives, this thread has only the caller's
// rights.
class as_caller {
public:
	as_caller();
	~as_caller();
	as_caller(const as_caller &) = delete;
	as_caller &operator=(const as_caller &) = delete;

	explicit
	operator bool() const
	{
		return down_;
	}

private:
	cap_t	before_;
	bool	down_ = false;
};

// Lowers this thread's rights to the caller's while it lives, if they differ.
// False: that failed, and nothing may be done for the caller.
class [[nodiscard]] lowered {
public:
	explicit lowered(bool borrowed)
	{
		if (borrowed)
			guard_.emplace();
	}

	explicit
	operator bool() const
	{
		return !guard_.has_value() || *guard_;
	}

private:
	std::optional<as_caller> guard_;
};

// Lowers the rights to the caller's for good.  False: that failed.
bool give_up_rights();

// Has strangers' files read by a child without rights from now on: call it
// before anything else is opened, and after raise_descriptors(), because the
// child may have as many files open.  flags: as stack9_read_apart() has them.
// False: that failed, as stack9_reason() says, and nothing may be done.
bool read_files_apart(unsigned int flags = 0);

// Stands for one thread, and for the same one as long as it lives.
class gate {
public:
	explicit gate(pid_t tid);
	~gate();
	gate(const gate &) = delete;
	gate &operator=(const gate &) = delete;

	// Asks whether the caller may trace the thread.  Returns 0, EPERM,
	// ESRCH, or EOPNOTSUPP if this kernel has no file that answers.
	int ask() const;

private:
	int	dir_ = -1;
	int	error_ = EPERM;
};

// True if the caller may read kernel addresses in /proc/kallsyms.
bool caller_sees_addresses();

} // namespace tools
