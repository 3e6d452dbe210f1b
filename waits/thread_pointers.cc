// Reads the thread pointers of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_pointers.h"

#include "os/task_facts.h"
#include "os/thread_pointer.h"

namespace stack9::waits {

const std::vector<thread_pointers::one> &
thread_pointers::of(pid_t pid)
{
	const auto [at, is_new] = known_.try_emplace(pid);
	std::vector<pid_t> tids;
	if (is_new && kept_ != nullptr)
		kept_->each_pointer([&](pid_t tid, std::uint64_t pointer) {
			at->second.push_back({pointer, tid});
		});
	else if (is_new && list_threads(pid, tids) == 0)
		for (const pid_t tid : tids)
			at->second.push_back({thread_pointer(tid), tid});
	return at->second;
}

} // namespace stack9::waits
