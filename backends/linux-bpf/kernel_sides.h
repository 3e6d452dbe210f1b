// The kernel stacks to a pass over user sides, from a pass just behind it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "records.h"

namespace stack9::bpf {

class kernel_sides {
public:
	int begin(const user_scope &, pid_t pid) noexcept;

	// That of the thread that the user side is of; NULL: there is none,
	// the thread was born or died between the passes.  To be asked for in
	// the order of the passes.
	const s9_record *find(const s9_record &who) noexcept;

private:
	bool next() noexcept;
	bool is_before(const s9_record &who) const noexcept;

	records<8 * 1024, sizeof(s9_record)>	all_;
	s9_record				first_;
	bool					has_first_ = false;
	// The kernel goes through all threads by tid, through a process's by
	// birth.
	bool					by_tid_ = true;
};

} // namespace stack9::bpf
