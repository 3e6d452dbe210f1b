// Captures many threads in one pass, and those again that ran meanwhile.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>
#include <vector>

#include "core/seam/delivered_threads.h"
#include "route.h"
#include "user.h"

namespace stack9 {

// Which threads of a pass are captured, and how.
struct pass_choice {
	stopping	may = stopping::allowed;
	// User stacks are only unwound of threads in one of these states, and
	// the others are left out; NULL: all.
	const char	*states = nullptr;
	// To unwind the process's stacks by; NULL: each process's own of now.
	stack9_space	*space = nullptr;
	// Set if the frames of languages are asked for.
	bool		languages = false;
	// Takes the copies of user stacks; or NULL.
	copy_taker	*taker = nullptr;
};

// Returns true if a state is one of these letters.
inline bool
is_in_state(const char *letters, char state) noexcept
{
	return state != '\0' && std::strchr(letters, state) != nullptr;
}

// Captures every thread of process pid, or of the machine (pid 0), in one pass,
// and calls fn for each.  first is the frame where the calling thread's own
// stack begins.  Returns as stack9_each(), or the value other than 0 that fn
// returned.
int each_record(stack9_side, pid_t pid, const origin &first,
    const pass_choice &, record_fn *fn, void *arg) noexcept;

// The same for kernel stacks, and user stacks with or without kernel
// stacks.
int each_kernel(pid_t pid, record_fn *fn, void *arg) noexcept;
int each_user(pid_t pid, bool kernel, const origin &first,
    const pass_choice &, record_fn *fn, void *arg) noexcept;

// Returns true if a record is of a thread of process pid, 0: of any.  A thread
// may end while a pass reads, and one of another process have its tid.
inline bool
is_of(pid_t pid, const stack_record &rec) noexcept
{
	return pid == 0 || rec.thread.pid == 0 || rec.thread.pid == pid;
}

// The threads that are captured again after a pass, because they ran while the
// pass read them.
class second_tries {
public:
	// False: the record is delivered as it is.
	bool add(const stack_record &) noexcept;
	const std::vector<stack9_thread> &
	threads() const noexcept
	{
		return threads_;
	}

private:
	std::vector<stack9_thread>	threads_;
};

// Buffers for one stack of a second try.
struct second_buffer {
	static constexpr std::uint32_t frames = 1024;
	std::uintptr_t	pcs[frames];
	char		text[16384];

	stack_record
	record() noexcept
	{
		stack_record rec{};
		rec.pcs = pcs;
		rec.max = frames;
		rec.text = text;
		rec.text_size = sizeof text;
		return rec;
	}
};

// Makes a pass by the routes of a job in turn: if one fails in the middle, the
// next one delivers the others.  once(route) makes a whole pass; stop is what
// the caller's function has returned.
template <job J, class Once>
int
pass_by_routes(Once once, delivered_threads &reported, const int &stop) noexcept
{
	stack_record unused;
	const int error = first_answer<J>(unused, [&](interface_of<J> &r) {
		if (const verdict v = r.can(); v.error != 0)
			return answer::refused(v);
		const int e = once(r);
		return stop != 0 || !is_refusal(e) || !reported.begin_next() ?
		    answer::is(e) : answer::refused(e, nullptr);
	});
	// The process ended between two routes.
	return error == ESRCH && stop == 0 && !reported.are_none() ? 0 : error;
}

} // namespace stack9
