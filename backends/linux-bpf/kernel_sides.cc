// Reads two passes side by side.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_sides.h"

namespace stack9::bpf {
int
kernel_sides::begin(const user_scope &scope, pid_t pid) noexcept
{
	by_tid_ = scope.is_of_all();
	return all_.begin(scope, {S9_ASKED, 0, pid, 0, S9_KERNEL_SIDE, 0});
}

bool
kernel_sides::next() noexcept
{
	for (;;) {
		std::size_t bytes = 0;
		if (all_.size() >= S9_RECORD_HEAD) {
			std::memcpy(&first_, all_.front(), S9_RECORD_HEAD);
			bytes = S9_RECORD_HEAD + (first_.bytes > 0 ?
			    static_cast<std::size_t>(first_.bytes) : 0);
		}
		if (bytes > sizeof first_)
			return false;
		if (bytes != 0 && all_.size() >= bytes) {
			std::memcpy(&first_, all_.front(), bytes);
			all_.drop(bytes);
			return true;
		}
		if (all_.more() != 0)
			return false;
	}
}

bool
kernel_sides::is_before(const s9_record &who) const noexcept
{
	return by_tid_ ? first_.tid < who.tid : first_.start_ns < who.start_ns;
}

const s9_record *
kernel_sides::find(const s9_record &who) noexcept
{
	for (;;) {
		if (!has_first_ && !(has_first_ = next()))
			return nullptr;
		if (first_.host_tid == who.host_tid &&
		    first_.start_ns == who.start_ns)
			return &first_;
		if (!is_before(who))
			return nullptr;
		has_first_ = false;
	}
}

} // namespace stack9::bpf
