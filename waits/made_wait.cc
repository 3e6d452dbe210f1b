// Makes what the caller gets of a wait.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "context.h"

namespace stack9::waits {

stack9_wait
made_of(const blocked &w)
{
	const wait_facts &f = *w.facts;
	const bool in_call = f.error == 0 && f.knows_call && f.call >= 0 &&
	    !f.running;
	stack9_wait made{};
	made.sample = w.sample;
	made.kind = w.kind;
	made.error = w.error;
	made.flags = w.flags;
	made.fd = w.fd;
	made.reason = w.reason;
	made.object = w.object.c_str();
	made.place = w.place.c_str();
	const std::int64_t call = w.restarted >= 0 ? w.restarted : f.call;
	made.call = in_call && !f.is_32_bit ? call_name(call) : "";
	made.number = in_call ? call : -1;
	std::copy_n(f.args, 6, made.args);
	made.args_used = call_arguments(f.is_32_bit ? -1 : call);
	made.address = w.address;
	made.left_ns = w.left_ns;
	made.idle_ns = w.idle_ns;
	made.holder = w.holders.data();
	made.holders = static_cast<std::uint32_t>(w.holders.size());
	return made;
}

} // namespace stack9::waits
