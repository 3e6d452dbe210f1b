// Declares the route that reads waits through /proc.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::procfs {

class wait_route_by_proc final : public wait_route {
public:
	constexpr wait_route_by_proc() : wait_route("procfs",
	    "system calls by /proc/TID/syscall: no kernel locks", 90) {}

	verdict can() noexcept override;
	int look(std::span<wait_facts>) noexcept override;
	int states(pid_t, state_sink, void *) noexcept override; // states.cc
};

extern wait_route_by_proc wait_by_proc;

} // namespace stack9::procfs
