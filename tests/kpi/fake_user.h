// The scripted machine's routes to user stacks.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "fake_backend.h"

namespace fake {

extern class user_route user_first, user_second, user_running, user_each,
    user_all;

class user_route final : public stack9::route {
public:
	constexpr user_route(const char *n, stack9::job w, int r,
	    stack9::verdict machine::*v)
	    : route(n, "answers from a script", w, r), verdict_(v) {}

	stack9::verdict can() noexcept override { return now.*verdict_; }
	bool both_sides() const noexcept override { return now.both; }
	bool
	stops() const noexcept override
	{
		return now.second_stops && this == &user_second;
	}
	int copy(const stack9_thread &, stack9::sides &, stack9::lead &)
	    noexcept override;
	int copy_on(const stack9_thread &, stack9::user_copy &,
	    std::uint64_t wanted) noexcept override;
	int each_copy(pid_t, bool kernel, stack9::sides_sink, void *arg)
	    noexcept override;

private:
	stack9::verdict	machine::*verdict_;
};

} // namespace fake
