// Finds out by /proc whether a thread or a process that no program finds is
// gone, hidden, or has only just begun.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "validate.h"

#include "os/clocks.h"
#include "core/seam/refuse.h"
#include <unistd.h>

namespace stack9::bpf {
namespace {

// Returns true if the thread may have begun after the program had searched for
// it.  Both times are of the clock that /proc uses, in its units.  A search
// takes far less than a tenth of a second.
bool
may_be_new(const stack9_thread &td) noexcept
{
	constexpr std::uint64_t second = 1000000000;
	const auto hz = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
	const std::uint64_t now = boot_ns();
	const std::uint64_t ticks = now / second * hz +
	    now % second * hz / second;
	return ticks < td.start + hz / 10;
}

} // namespace

int
explain_missing_thread(const stack9_thread &td, stack_record &rec) noexcept
{
	stack9_thread now{};
	if (stack9_thread_find(td.tid, &now) != 0)
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	if (td.start != 0 && td.start != now.start)
		return refuse(rec, ESRCH, STACK9_WHY_REUSED, nullptr);
	if (may_be_new(now))
		return refuse(rec, EAGAIN, STACK9_WHY_MOVED, nullptr);
	return refuse(rec, EOPNOTSUPP, STACK9_WHY_MACHINE,
	    "it exists, but this machine hides it from BPF programs");
}

int
explain_process_pass(pid_t pid, bool shown) noexcept
{
	stack9_thread now{};
	if (shown)
		return 0;
	return stack9_thread_find(pid, &now) == 0 && now.pid == pid ? EIO :
	    ESRCH;
}

int
explain_machine_pass(bool caller_shown) noexcept
{
	return caller_shown ? 0 : EIO;
}

} // namespace stack9::bpf
