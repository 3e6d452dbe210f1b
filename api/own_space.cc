// Keeps the space of the calling process until something is loaded or unloaded.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_space.h"

#include <mutex>
#include <new>

#include <link.h>
#include <unistd.h>

namespace stack9 {
namespace {

// The loader's numbers of libraries loaded and unloaded so far.
struct loaded {
	unsigned long long adds = 0, subs = 0;
	bool operator==(const loaded &) const = default;
};

loaded
loaded_now() noexcept
{
	loaded now;
	dl_iterate_phdr([](dl_phdr_info *info, std::size_t, void *arg) {
		*static_cast<loaded *>(arg) = {info->dlpi_adds,
		    info->dlpi_subs};
		return 1;
	}, &now);
	return now;
}

struct kept {
	std::mutex	lock;
	unique_space	space;
	loaded		when;
	pid_t		pid = 0;
};

// Is never destroyed, because other threads may name while the program exits.
kept &
the_kept() noexcept
{
	static kept &the = *new kept;
	return the;
}

unique_space
open_own()
{
	const stack9_thread self{gettid(), getpid(), 0};
	unique_space s;
	if (space_of_now(self, s) != 0)
		throw std::bad_alloc();
	return s;
}

unique_space
held(stack9_space &s) noexcept
{
	space_hold(s);
	return unique_space(&s);
}

bool
has_mapped(stack9_space &s, std::uint64_t pc) noexcept
{
	mapped_module m;
	return space_module(s, pc, m) == 0;
}

} // namespace

// The lock may have been another thread's when the process was forked.
unique_space
own_space(std::uint64_t pc)
{
	kept &k = the_kept();
	const std::unique_lock hold(k.lock, std::try_to_lock);
	if (!hold)
		return open_own();
	const loaded now = loaded_now();
	if (k.space == nullptr || k.pid != getpid() || !(k.when == now) ||
	    !has_mapped(*k.space, pc)) {
		k.space = open_own();
		k.when = now;
		k.pid = getpid();
	}
	return held(*k.space);
}

unique_space
empty_space(const stack9_thread &td)
{
	stack9_space *made = nullptr;
	if (space_of_text(td, {}, made) != 0)
		throw std::bad_alloc();
	return unique_space(made);
}

void
give_space(stack_record &rec, unique_space &opened)
{
	if (rec.depth == 0 || rec.space != nullptr ||
	    rec.thread.pid == getpid())
		return;
	if (space_of_now(rec.thread, opened) != 0)
		opened = empty_space(rec.thread);
	rec.space = opened.get();
}

} // namespace stack9
