// Defines a thread that waits, as the finders of kinds fill it in, and names
// the system call that it is in.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <stack9_waits.h>

#include "core/seam/wait.h"

namespace stack9::waits {

struct blocked {
	const stack9_sample	*sample = nullptr;
	const wait_facts	*facts = nullptr;	// of the first reading
	bool		 has_stack = false;	// the sample's user stack is of
						// this wait
	bool		 has_kernel_stack = false;	// the same
	int		 kind = STACK9_WAIT_UNKNOWN;
	int		 error = 0;
	std::uint32_t	 flags = 0;
	std::int64_t	 restarted = -1;	// the call that was restarted
	int		 fd = -1;
	const char	*reason = "";	// never freed
	std::string	 object, place;
	std::uint64_t	 address = 0;
	std::uint64_t	 left_ns = 0;
	std::uint64_t	 idle_ns = 0;
	std::vector<stack9_holder> holders;
	// The words of memory that name the holder: numbers of memory.h's.
	std::vector<std::uint32_t> words;

	std::uint64_t
	arg(int n) const
	{
		return facts->args[n];
	}
	pid_t
	pid() const
	{
		return facts->thread.pid;
	}
	pid_t
	tid() const
	{
		return facts->thread.tid;
	}
	void
	is(int what, const char *why = "")
	{
		kind = what;
		reason = why;
	}
	// Nobody has it just now.
	void
	is_handed_over(const char *why = "it is being handed over")
	{
		flags |= STACK9_WAIT_CHANGING;
		reason = why;
	}
	void
	add(const stack9_thread &td, int role, std::uint32_t holder_flags = 0)
	{
		holders.push_back({td, role, holder_flags});
	}
};

// The name of a system call; "" if the number is newer than the headers that
// this was built with.
const char *call_name(std::int64_t number) noexcept;
// How many arguments it has; 6 if that is not known.
std::uint32_t call_arguments(std::int64_t number) noexcept;

} // namespace stack9::waits
