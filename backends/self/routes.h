// Declares the routes of this backend.  Each is written in a file of its own.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"
#include "core/seam/refuse.h"

namespace stack9::self {

class rules_route final : public route {
public:
	using route::route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &) noexcept
	    override;
	std::uint32_t own(const origin &, std::uintptr_t *pcs,
	    std::uint32_t max) noexcept override;
};

class libunwind_route final : public route {
public:
	using route::route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &) noexcept
	    override;
};

class registers_route final : public route {
public:
	using route::route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &) noexcept
	    override;
};

class signal_route final : public route {
public:
	using route::route;
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &) noexcept
	    override;
};

extern rules_route own_stack;
extern libunwind_route by_libunwind;	// where it is built in
extern registers_route by_registers;	// for a sleeping thread
extern signal_route by_signal;		// for a running thread

} // namespace stack9::self
