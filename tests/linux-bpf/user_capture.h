// Copies of user sides straight from this backend's routes, before anything is
// unwound.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <string>

#include "core/seam/backend.h"

#include "victim.h"

namespace stack9 {
extern const backend backend_linux_bpf;
}

// The route of that name and job; NULL where this machine lacks it, which is
// told.
stack9::route *user_route(stack9::job what, const std::string &name);

// What can copy a sleeper.
inline const std::string sleeper_routes[] = {"user-syscall", "user-iter"};

stack9_thread thread_named(pid_t tid);

// So many captures, or a hundredth of them under an emulated kernel.
int captures(int many);

// Both sides of a thread, in rooms of their own.
struct user_capture {
	std::uintptr_t		pcs[512];
	stack9_record		kernel{}, user{};
	stack9::user_copy	copy;
	stack9::lead		lead;

	user_capture();
	int take(stack9::route &, const stack9_thread &,
	    bool with_kernel = false);
	// Again, while another try may end otherwise.  ON_CPU too.
	int take_asleep(stack9::route &, const stack9_thread &,
	    bool with_kernel = false);

	std::uint64_t sp() const;
	std::uint64_t pc() const;

	// A word of the piece of stack.
	std::uint64_t
	word(std::uint64_t at) const
	{
		std::uint64_t w;
		std::memcpy(&w, copy.stack.bytes.data() + (at - copy.stack.at),
		    sizeof w);
		return w;
	}
};
