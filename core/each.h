// Passes over many threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "route.h"

namespace stack9 {

// As stack9_each(), for one side, and for the user's with the kernel's.
int each_kernel(pid_t pid, stack9_record_fn *fn, void *arg) noexcept;
int each_user(pid_t pid, bool kernel, stack9_record_fn *fn, void *arg)
    noexcept;

// The threads that a pass looks at again: they ran while it came by.
class second_looks {
public:
	// False: this one is told as it is.
	bool add(const stack9_record &) noexcept;
	const std::vector<stack9_thread> &
	threads() const noexcept
	{
		return threads_;
	}

private:
	std::vector<stack9_thread>	threads_;
};

// Room for one stack of the second looks.
struct second_room {
	static constexpr std::uint32_t frames = 1024;
	std::uintptr_t	pcs[frames];
	char		text[16384];

	stack9_record
	record() noexcept
	{
		stack9_record rec{};
		rec.pcs = pcs;
		rec.max = frames;
		rec.text = text;
		rec.text_size = sizeof text;
		return rec;
	}
};

// Tries the routes of a job in turn.  once(route): a whole pass by it;
// begun(): whether that has told anything, for another route would tell the
// same threads twice.
template <class Once, class Begun>
int
pass_by_routes(job what, Once once, Begun begun) noexcept
{
	refusal refused;
	stack9_record why{};
	job_routes routes(what);
	while (route *r = routes.next()) {
		const verdict v = r->can();
		if (v.error != 0) {
			refused.add(v.error, v.reason, r->name);
			continue;
		}
		const int error = once(*r);
		if (!is_refusal(error) || begun())
			return error;
		refused.add(error, nullptr, r->name);
	}
	return refused.report(why);
}

} // namespace stack9
