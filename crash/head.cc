// Writes the signal and the stack of the thread that crashed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "parts.h"

#include "arch/cpu.h"

#include "frames.h"
#include "text.h"

namespace stack9::crash {
namespace {

void
write_signal(text &to, const crash &c) noexcept
{
	to << "stack9: " << signal_name(c.info.si_signo) << " (" <<
	    c.info.si_signo << ") in process " << c.pid << " (";
	write_name(to, c.pid, c.pid) << "), thread " << c.tid << " (";
	write_name(to, c.pid, c.tid) << "): " << reason_of(c.info);
	if (has_address(c.info))
		(to << " ").hex(reinterpret_cast<std::uintptr_t>(
		    c.info.si_addr));
	else if (c.info.si_code <= 0)
		to << " " << c.info.si_pid << " of user " <<
		    std::int64_t{c.info.si_uid};
	to << "\n";
}

void
write_registers(text &to, const ucontext_t &at) noexcept
{
	to << "registers:";
	for (int r = 0; r < unwind::register_count; r++) {
		to << (r % 4 == 0 ? "\n   " : "") << " " <<
		    unwind::register_names[r] << "=";
		to.hex(unwind::register_of(at, r));
	}
	to << "\n";
}

} // namespace

void
head::run(tracing::tracer &) noexcept
{
	text to(what_.fd);
	write_signal(to, what_);
	to.flush();
	write_registers(to, what_.at);
	to << "thread " << what_.tid << " (";
	write_name(to, what_.pid, what_.tid) << "), crashed:\n";
	to.flush();
	const unwind::walked w = unwind::walk_interrupted(what_.at,
	    pcs_.data(), static_cast<std::uint32_t>(pcs_.size()));
	write_frames(to, pcs_.first(w.depth), w);
}

} // namespace stack9::crash
