// Declares the routes of this backend, and what these share.  Each route is
// written in a file of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"
#include "core/seam/refuse.h"
#include "unwind/walk.h"

namespace stack9::self {

class rules_route final : public own_route {
public:
	using own_route::own_route;
	verdict can() noexcept override;
	int save(stack_record &, const origin &) noexcept override;
	quick_stack save_pcs(std::uintptr_t pc, std::uintptr_t sp,
	    std::uintptr_t fp, std::uintptr_t *pcs, std::uint32_t max) noexcept
	    override;
	void
	switch_stack(std::uintptr_t low, std::uintptr_t high) noexcept override
	{
		unwind::switch_stack(low, high);
	}
};

class libunwind_route final : public own_route {
public:
	using own_route::own_route;
	verdict can() noexcept override;
	int save(stack_record &, const origin &) noexcept override;
	// It has no quick way.
	quick_stack
	save_pcs(std::uintptr_t, std::uintptr_t, std::uintptr_t,
	    std::uintptr_t *, std::uint32_t) noexcept override
	{
		return {0, 0};
	}
};

class registers_route final : public sibling_route {
public:
	using sibling_route::sibling_route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &) noexcept override;
};

class signal_route final : public sibling_route {
public:
	using sibling_route::sibling_route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &) noexcept override;
	bool disturbs() const noexcept override { return true; }
};

extern rules_route own_stack;
extern libunwind_route by_libunwind;	// where it is built in
extern registers_route by_registers;	// for a sleeping thread
extern signal_route by_signal;		// for a running thread

// Fills depth, dropped, why and reason from the walk of a stack of this
// process, and sets the flag of a guess.
void explain(const unwind::walked &, stack_record &) noexcept;

// Reports the counters of this backend to stack9_counts().
int each_count(stack9_stat_fn *, void *arg) noexcept;

} // namespace stack9::self
