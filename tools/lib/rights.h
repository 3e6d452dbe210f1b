// A program with capabilities of its own must not show its caller what the
// caller could not have seen.  What that is, the kernel is asked.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <optional>

#include <sys/capability.h>
#include <sys/types.h>

namespace stackprint {

// The rights are the file's (capabilities, or set-user-ID), not the caller's.
bool borrowed_rights();

// While one of these lives, this thread has the caller's rights only.
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

// Lower this thread's rights to the caller's if they are not the same.
inline std::optional<as_caller>
lowered(bool borrowed)
{
	return borrowed ? std::optional<as_caller>(std::in_place) :
	    std::nullopt;
}

// The caller's rights only, from now on and for good.  False: it cannot be
// done.
bool give_up_rights();

// One thread, the same one for as long as this lives.
class gate {
public:
	explicit gate(pid_t tid);
	~gate();
	gate(const gate &) = delete;
	gate &operator=(const gate &) = delete;

	// Might the caller trace the thread?  0; EPERM; ESRCH; EOPNOTSUPP: this
	// kernel has nothing that could be asked.
	int ask() const;

private:
	int	dir_ = -1;
	int	error_ = EPERM;
};

// May the caller read kernel addresses in /proc/kallsyms?
bool caller_sees_addresses();

} // namespace stackprint
