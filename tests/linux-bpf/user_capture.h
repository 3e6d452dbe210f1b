// Takes copies of user sides straight from this backend's routes, before
// anything is unwound.
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

// The route of that name and job, or NULL.
template <stack9::job J>
stack9::interface_of<J> *
find_route(const std::string &name)
{
	for (auto *const r : stack9::routes_of<J>(stack9::backend_linux_bpf))
		if (name == r->name)
			return r;
	return nullptr;
}

// Returns whether this machine has it; if not, the test says so.
bool is_usable(stack9::route *);

// The route of that name and job; NULL if this machine lacks it.
template <stack9::job J>
stack9::interface_of<J> *
usable_route(const std::string &name)
{
	auto *const r = find_route<J>(name);
	return is_usable(r) ? r : nullptr;
}

// The routes that can copy a sleeper.
inline const std::string sleeper_routes[] = {"user-syscall", "user-iter"};

stack9_thread thread_named(pid_t tid);

// So many captures, or a hundredth of them under an emulated kernel.
int captures(int many);

// Both sides of a thread, in buffers of their own.
struct user_capture {
	std::uintptr_t		pcs[512];
	stack9::stack_record		kernel{}, user{};
	stack9::user_copy	copy;
	stack9::lead		lead;

	user_capture();
	void begin(const stack9::route &);
	template <class Route>
	int
	take(Route &r, const stack9_thread &td, bool with_kernel = false)
	{
		begin(r);
		stack9::sides s{with_kernel ? &kernel : nullptr, user, copy};
		return user.error = r.copy(td, s, lead);
	}
	// Again, while another try may end otherwise.  ON_CPU too.
	int take_asleep(stack9::user_route &, const stack9_thread &,
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
