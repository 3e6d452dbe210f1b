// Copies the stacks of sleeping threads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "asleep.h"

#include <cerrno>

#include <unistd.h>

#include "arch/cpu.h"

namespace stack9::crash {
namespace {

constexpr std::size_t copy_size = 64 << 10;

int
read_posture(posture_reader &r, const proc_task &dir, posture &p) noexcept
{
	thread_status status;
	int error = r.read_registers(dir, p);
	if (error == 0 && !p.running)
		error = r.read_status(dir, status);
	p.switches = status.switches;
	return error;
}

// 0 if the thread slept throughout.
int
copy_one(tracing::stopped_thread &t, posture &p, tracing::arena &memory)
    noexcept
{
	proc_task dir;
	posture_reader reader;
	posture after;
	int error = dir.open_own(t.tid);
	if (error == 0)
		error = read_posture(reader, dir, p);
	if (error != 0 || p.running)
		return error != 0 ? error : EPERM;
	const tracing::source from;
	t.stack = tracing::read_into(memory, getpid(), from,
	    {p.sp - unwind::red_zone, copy_size, false});
	error = read_posture(reader, dir, after);
	return error != 0 ? error : after == p ? 0 : EPERM;
}

} // namespace

void
copy_asleep(std::span<tracing::stopped_thread> all,
    std::span<posture> postures, tracing::arena &memory) noexcept
{
	for (std::size_t i = 0; i < all.size() && i < postures.size(); i++) {
		tracing::stopped_thread &t = all[i];
		if (t.error != EPERM || t.at != tracing::step::seizing)
			continue;
		t.error = copy_one(t, postures[i], memory);
		if (t.error == 0)
			t.registers.size = 0;
	}
}

} // namespace stack9::crash
