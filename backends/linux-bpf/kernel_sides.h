// Finds the kernel stack for each user side of a pass, in a second pass that
// follows it closely.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "records.h"

namespace stack9::bpf {

class kernel_sides {
public:
	int begin(const user_scope &, pid_t pid) noexcept;

	// The kernel stack of the user side's thread; NULL: there is none,
	// because the thread was born or died between the passes.  Calls follow
	// the order of the passes.
	const s9_record *find(const s9_record &who) noexcept;

private:
	bool next() noexcept;
	bool is_before(const s9_record &who) const noexcept;

	records<8 * 1024, sizeof(s9_record)>	all_;
	s9_record				first_;
	bool					has_first_ = false;
	// The kernel visits all threads in order of their tids, and those of
	// one process in order of their birth.
	bool					by_tid_ = true;
};

} // namespace stack9::bpf
