// Declares route "task-work" (Linux 6.18), by which each thread copies its user
// side itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/async.h"
#include "core/seam/backend.h"

namespace stack9::bpf {

class task_work_route final : public async_route {	// queue.cc
public:
	constexpr task_work_route() : async_route("task-work",
	    "each thread copies its own stack when it returns to user space",
	    10) {}
	verdict can() noexcept override;
	async_queue &queue() noexcept override;
};

} // namespace stack9::bpf
