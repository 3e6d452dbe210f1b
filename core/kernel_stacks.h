// Keeps kernel stacks of many threads, for passes over user stacks by routes
// that see user space only and may stop the threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/seam/record.h"

namespace stack9 {

class kernel_stacks {
public:
	// Captures those of pid, or of the machine.  find() does not find a
	// thread whose stack could not be kept; the caller captures it alone.
	void take(pid_t pid) noexcept;

	// rec points into the kept stack.
	bool find(const stack9_thread &, stack_record &rec) noexcept;

private:
	struct kept {
		stack_record			rec;
		std::vector<std::uintptr_t>	pcs;
		std::string			text;
	};
	static int add(void *arg, const stack_record *kernel,
		    const stack_record *);

	std::unordered_map<pid_t, kept>	stacks_;	// by tid
};

} // namespace stack9
