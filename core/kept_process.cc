// Keeps the list of all processes of which memory was kept.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/kept_process.h"

#include <map>
#include <mutex>

#include "os/forked_lock.h"

namespace stack9 {
namespace {

constinit std::mutex kept_lock;
const int kept_at_fork = free_in_children<kept_lock>();
std::uint64_t last_mark = kept_mark;

// It is never destroyed, because other threads may read while the program
// exits.
std::map<std::uint64_t, kept_process *> &
all_kept()
{
	static auto &all = *new std::map<std::uint64_t, kept_process *>;
	return all;
}

std::uint64_t
add_kept(kept_process *p)
{
	const std::lock_guard hold(kept_lock);
	all_kept().emplace(last_mark + 1, p);
	return ++last_mark;
}

} // namespace

kept_process::kept_process() : mark(add_kept(this)) {}

kept_process::~kept_process()
{
	const std::lock_guard hold(kept_lock);
	all_kept().erase(mark);
}

kept_process *
kept_process_of(std::uint64_t start) noexcept
{
	if ((start & kept_mark) == 0)
		return nullptr;
	const std::lock_guard hold(kept_lock);
	const auto at = all_kept().find(start);
	return at == all_kept().end() ? nullptr : at->second;
}

} // namespace stack9
