// Declares the fake libstack9's samples: they are lent while they are on the
// stack, copied when they are held, and of no use when they are gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <stack9.h>

#include "fake_cast.h"

namespace fake {

// A sample is where its object begins.
struct played {
	stack9_sample	sample{};
	int		holders = 0;	// 0: lent
	stack9_stack	kernel{}, user{};
	std::vector<std::uint64_t> kernel_pcs, user_pcs;
	std::vector<const char *> text;
	std::string	comm, event;

	// Makes the result of a capture.  The space is the caller's.
	played(const role &, pid_t pid, int sides, stack9_space *,
	    std::uint32_t frames = 1024);
	played(const played &);		// is held, once
	played &operator=(const played &) = delete;
	~played();

	// Nothing is known of the thread from now on.
	void	forget();
	void	fail(stack9_stack &, int error, stack9_why, const char *reason);
	int	error() const;		// as stack9_save() returns it

private:
	void	fill(stack9_stack &, std::vector<std::uint64_t> &, const half &,
		    std::uint32_t frames);
	void	join();
};

// As stack9_space_open(), but says nothing.
stack9_space *space_of(pid_t pid);

int name_user(stack9_space *, std::uint64_t pc, unsigned int flags,
    stack9_frame_fn *, void *arg);

} // namespace fake
