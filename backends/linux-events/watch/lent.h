// Makes records of stacks that were stored in programs of others.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include <stack9/bpf_stack.h>

#include "backends/linux-events/programs/event_record.h"

namespace stack9::events {

class lent_event {
public:
	// depth has been compared with STACK9_BPF_FRAMES.
	const s9_event &take(const stack9_bpf_stack &) noexcept;

	// So many were taken.
	std::uint64_t count = 0;

private:
	alignas(s9_event) unsigned char room_[sizeof(s9_event) +
	    sizeof stack9_bpf_stack::pcs]{};
};

} // namespace stack9::events
