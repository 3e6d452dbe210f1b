// Declares the routes "procfs" for user stacks of one sleeping thread and of
// all.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::procfs {

class user_route final : public stack9::user_route {
public:
	using stack9::user_route::user_route;
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	int extend_copy(const stack9_thread &, user_copy &,
	    std::uint64_t wanted) noexcept override;
	bool both_sides() const noexcept override { return false; }
	bool stops() const noexcept override { return false; }
};

class user_each_route final : public user_pass_route {
public:
	using user_pass_route::user_pass_route;
	verdict can() noexcept override;
	int extend_copy(const stack9_thread &, user_copy &,
	    std::uint64_t wanted) noexcept override;
	bool both_sides() const noexcept override { return false; }
	bool stops() const noexcept override { return false; }
	int each_copy(pid_t, bool kernel, sides_sink, void *) noexcept
	    override;
};

extern user_route user_one;
extern user_each_route user_all;

} // namespace stack9::procfs
