// Frees slots by the phase that they are in.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "release.h"

#include <cerrno>

#include <sys/syscall.h>
#include <unistd.h>

#include "deliver.h"
#include "os/clocks.h"

namespace stack9::bpf {
namespace {

constexpr std::uint64_t long_ago = 1'000'000'000;	// ns

// Frees a slot that nobody else will touch.
void
free_slot(async_state &st, slot_id id) noexcept
{
	st.ready.remove(id);
	st.table.free_slot(id);
}

} // namespace

bool
is_held(s9_phase p) noexcept
{
	return p != S9_FREE && p != S9_HELD && p != S9_DROPPED;
}

bool
try_release(async_state &st, slot_id id) noexcept
{
	const async_table &t = st.table;
	switch (const s9_phase now = t.phase(id)) {
	case S9_WAITING:
		if (!t.change_phase(id, now, S9_HELD))
			return false;
		t.cancel_work(id.slot);
		free_slot(st, id);
		return true;
	case S9_DONE:
	case S9_CANCELLED:
		if (!t.change_phase(id, now, S9_HELD))
			return false;
		free_slot(st, id);
		return true;
	case S9_WRITING:	// its thread will free it
	case S9_FORSAKEN:
		if (!t.change_phase(id, now, S9_DROPPED))
			return false;
		st.ready.remove(id);
		return true;
	default:		// nobody holds it
		return true;
	}
}

void
end_if_gone(async_state &st, stack9_id whole) noexcept
{
	const slot_id id(whole);
	if (st.table.phase(id) != S9_WAITING)
		return;
	s9_async_slot &s = *st.table.slot(id.slot);
	if (boot_ns() - s.h.k.when_ns < long_ago)
		return;
	const stack9_thread td = thread_in(s);
	if (syscall(SYS_tgkill, td.pid, td.tid, 0) == 0 || errno != ESRCH ||
	    !st.table.change_phase(id, S9_WAITING, S9_WRITING))
		return;
	s.h.error = ESRCH;
	st.table.change_phase(id, S9_WRITING, S9_DONE);
	st.ready.add(whole);
}

void
end_all_gone(async_state &st) noexcept
{
	const std::uint64_t now = boot_ns();
	if (now - st.checked_ns < long_ago)
		return;
	st.checked_ns = now;
	for (std::uint32_t i = 1; i <= st.table.captures(); i++)
		if (const stack9_id id = st.table.id_in(i); id != 0)
			end_if_gone(st, id);
}

} // namespace stack9::bpf
