// Declares how tests look at user stacks: routes, spaces, names.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "lib/process.h"
#include "core/seam/record.h"
#include "kernel_capture.h"	// of tests/linux-bpf

using lib::in_child;

struct space_closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using space = std::unique_ptr<stack9_space, space_closer>;
space space_of(pid_t pid);

// Functions of a user stack, innermost first; a frame without a name is the
// file it is in, in brackets.  Frames of cancellation.h are left out, except
// from a stack of one frame.
std::vector<std::string> names_in(stack9_space *, const stack9::stack_record &);
// A function of libc by the name that the manual has for it: __libc_msgrcv and
// __poll are other names for the same.
std::string in_the_manual(const std::string &function);
std::string joined(const std::vector<std::string> &);

// A user stack with the space it was unwound by.
struct user_capture : capture {
	explicit user_capture(pid_t pid, std::uint32_t most = 512)
	    : capture(most), in(space_of(pid))
	{
		rec.space = in.get();
	}
	int
	save(pid_t tid)
	{
		return capture::save(stack9_thread{tid, 0, 0}, STACK9_USER);
	}
	std::vector<std::string> names() { return names_in(in.get(), rec); }

	space in;
};

// The routes of a job that stop nobody, and those that do.
std::vector<std::string> no_stop_routes(const std::string &job);
std::vector<std::string> stopping_routes(const std::string &job);
// That route alone; or no route but those that stop nobody.
std::string and_no_stop(const std::string &route);

inline const char one_job[] = "user stack";
inline const char running_job[] = "user stack of a running thread";
inline const char many_job[] = "user stacks of many threads";

// The reason for which nothing copies the stack and the registers of a sleeper
// that goes on; or "".  A requirement for tests, named user-bpf.
inline std::string
no_bpf_copies()
{
	return no_stop_routes(one_job).size() > 1 ? "" :
	    "only /proc, which does not give all registers";
}

// A child that does something of its own, then sleeps until it is killed.
class child : public lib::child {
public:
	explicit child(const std::function<void()> &deed = {})
	    : lib::child(deed)
	{
		lib::wait_for_state(pid(), 'S');
	}
};

