// Makes the record that our programs would have sent, of a stack that was
// stored in a program of others.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lent.h"

#include <cstring>

namespace stack9::events {

const s9_event &
lent_event::take(const stack9_bpf_stack &from) noexcept
{
	s9_event &e = *reinterpret_cast<s9_event *>(room_);
	e.head = {};
	e.head.what = S9_EVENT;
	e.head.cpu = from.cpu;
	e.head.when_ns = from.when_ns;
	e.head.start_ns = from.start_ns;
	e.head.serial = from.cookie;
	e.head.tid = from.tid;
	e.head.pid = from.pid;
	e.head.host_tid = from.host_tid;
	std::memcpy(e.head.comm, from.comm, sizeof e.head.comm);
	e.stacks = {};
	std::memcpy(&e.stacks.space, from.known, sizeof e.stacks.space);
	e.stacks.user = static_cast<__u16>(from.depth);
	e.stacks.user_error = static_cast<__s16>(from.known[2]);
	std::memcpy(e.pcs, from.pcs, from.depth * sizeof *from.pcs);
	return e;
}

} // namespace stack9::events
