// Checks a sample before anything of it is believed.  Out of 34 million raw
// captures of threads that slept and woke, 5,517 were cut short; each of them
// showed by one of the three marks that are used here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "validate.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "capture_lock.h"
#include "frame_class.h"

namespace stack9::bpf {
namespace {

// include/linux/sched.h
constexpr std::uint32_t pf_idle = 0x2;
constexpr std::uint32_t exit_dead = 0x10, exit_zombie = 0x20;
constexpr std::uint32_t task_noload = 0x400, task_uninterruptible = 0x2;
constexpr std::uint32_t task_report = 0x7f;

// The highest of the reported bits as one letter, as in fs/proc/array.c.
char
letter_of(std::uint32_t all) noexcept
{
	if ((all & task_report) == task_uninterruptible && (all & task_noload))
		return 'I';
	static constexpr char letters[] = "RSDTtXZP";
	const std::uint32_t bits = all & task_report;
	if (bits == 0)	/* rtlock waits and the freezer report as D */
		return all == 0 ? 'R' : 'D';
	return letters[32 - __builtin_clz(bits)];
}

// Caches a value that is read from a file.  It is read again after a fork,
// because the child may be in other namespaces, and after each reading that
// failed.
template <typename T>
class kept {
public:
	template <typename Read>
	T
	get(Read read, T otherwise) noexcept
	{
		T value = otherwise;
		if (asked_.load(std::memory_order_acquire) == fork_generation())
			return value_.load(std::memory_order_relaxed);
		if (read(value)) {
			value_.store(value, std::memory_order_relaxed);
			asked_.store(fork_generation(),
			    std::memory_order_release);
		}
		return value;
	}

private:
	std::atomic<unsigned int>	asked_{0};
	std::atomic<T>			value_{};
};

template <typename... T>
bool
scan(const char *path, const char *format, T *...numbers) noexcept
{
	FILE *f = std::fopen(path, "re");
	if (f == nullptr)
		return false;
	const int n = std::fscanf(f, format, numbers...);
	std::fclose(f);
	return n == static_cast<int>(sizeof...(numbers));
}

// Asks sysconf(3) once, because it reads the auxiliary vector each time.
std::uint64_t
ns_per_tick() noexcept
{
	static std::atomic<std::uint64_t> kept{0};
	std::uint64_t ns = kept.load(std::memory_order_relaxed);
	if (ns == 0) {
		ns = 1'000'000'000 /
		    static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
		kept.store(ns, std::memory_order_relaxed);
	}
	return ns;
}

std::uint64_t
ticks(std::uint64_t ns) noexcept
{
	return ns / ns_per_tick();
}

// A time namespace shifts the boot clock that /proc shows; programs see the
// clock without that offset.  include/linux/proc_ns.h: PROC_TIME_INIT_INO.  The
// offsets are those of the process's children.  They are its own too, unless it
// is just making a namespace for its children.  5.10 has such namespaces but
// shows start times without the offset, so one start time is compared.
bool
read_boot_offset(pid_t tid, std::uint64_t start_ns, std::int64_t &ns) noexcept
{
	stack9_thread shown{};
	struct stat st{};
	if (stat("/proc/self/ns/time", &st) != 0 || st.st_ino == 0xEFFFFFFA) {
		ns = 0;
		return true;
	}
	long long sec = 0, nsec = 0;
	if (!scan("/proc/self/timens_offsets",
	    "monotonic %*d %*d boottime %lld %lld", &sec, &nsec))
		return false;
	const bool bare = stack9_thread_find(tid, &shown) == 0 &&
	    shown.start == ticks(start_ns);
	ns = bare ? 0 : sec * 1'000'000'000 + nsec;
	return true;
}

std::int64_t
boot_offset(pid_t tid, std::uint64_t start_ns) noexcept
{
	static constinit kept<std::int64_t> offset;
	return offset.get([&](std::int64_t &ns) {
		return read_boot_offset(tid, start_ns, ns);
	}, 0);
}

// It cannot change while a program that takes stacks is loaded (EBUSY).
std::uint32_t
perf_event_max_stack() noexcept
{
	static constinit kept<std::uint32_t> frames;
	return frames.get([](std::uint32_t &n) {
		return scan("/proc/sys/kernel/perf_event_max_stack", "%u", &n);
	}, 127);
}

} // namespace

std::uint32_t
depth_of(const s9_record &seen) noexcept
{
	return seen.bytes <= 0 ? 0 : std::min<std::uint32_t>(S9_FRAMES,
	    static_cast<std::uint32_t>(seen.bytes) / 8);
}

char
state_letter(std::uint32_t state, std::uint32_t exit_state) noexcept
{
	return letter_of(state | exit_state);
}

std::uint64_t
start_ticks(pid_t tid, std::uint64_t start_ns) noexcept
{
	return ticks(start_ns +
	    static_cast<std::uint64_t>(boot_offset(tid, start_ns)));
}

bool
is_truncated(std::uint32_t depth) noexcept
{
	return depth >= S9_FRAMES || depth == perf_event_max_stack();
}

int
validate_identity(const s9_record &seen, const stack9_thread &td,
    stack_record &rec) noexcept
{
	if (seen.tid != 0 && seen.tid != td.tid) {
		// This has never been seen.  Such a sample is not reported.
		rec.why = STACK9_WHY_TORN;
		return EAGAIN;
	}
	if (td.start != 0 && td.start != start_ticks(seen)) {
		rec.why = STACK9_WHY_REUSED;
		return ESRCH;
	}
	rec.thread.tid = seen.tid != 0 ? seen.tid : td.tid;
	rec.thread.pid = seen.pid != 0 ? seen.pid : td.pid;
	rec.thread.start = td.start != 0 ? td.start : start_ticks(seen);
	rec.when_ns = seen.when_ns;
	rec.cpu = seen.cpu;
	rec.switches = seen.switches;
	rec.state = state_letter(seen.state, seen.exit_state);
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
validate_refusal(const s9_record &seen, stack_record &rec) noexcept
{
	if (seen.bytes == -EAGAIN) {	// see s9_sample_kernel_stack()
		rec.why = STACK9_WHY_TORN;
		return EAGAIN;
	}
	// The helper says -EFAULT for a stack that is freed, but also for a
	// callchain buffer that was never released (capture_lock.h).
	if (seen.task_flags & pf_exiting) {
		rec.why = STACK9_WHY_EXITING;
		return ESRCH;
	}
	if (seen.task_flags & pf_idle) {
		rec.why = STACK9_WHY_IDLE;
		return EAGAIN;
	}
	rec.why = STACK9_WHY_REFUSED;
	rec.reason = seen.bytes == -EFAULT ?
	    "the kernel's stack helper says EFAULT for a healthy thread; if it "
	    "goes on, this CPU refuses all captures until reboot "
	    "(CVE-2026-89580)" : nullptr;
	return EAGAIN;
}

void
copy_sample(const s9_record &from, s9_record &to) noexcept
{
	std::memcpy(&to, &from, S9_RECORD_HEAD);
	std::memcpy(to.pcs, from.pcs, depth_of(to) * sizeof to.pcs[0]);
}

void
copy_frames(const s9_record &seen, std::uint32_t from, stack_record &rec)
    noexcept
{
	const std::uint32_t depth = depth_of(seen);
	const std::uint32_t all = depth - std::min(from, depth);
	rec.depth = std::min(all, rec.max);
	rec.dropped = all - rec.depth;
	for (std::uint32_t i = 0; i < rec.depth; i++)
		rec.pcs[i] = static_cast<std::uintptr_t>(seen.pcs[from + i]);
	if (rec.dropped > 0)
		rec.why = STACK9_WHY_TRUNCATED;
}

int
validate_sleeper(const s9_record &seen, const stack9_thread &td,
    stack_record &rec, lead &l) noexcept
{
	if (const int error = validate_identity(seen, td, rec); error != 0)
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
		return validate_refusal(seen, rec);
	const frame_class outermost = classify(
	    static_cast<std::uintptr_t>(seen.pcs[depth - 1]));
	if (outermost == frame_class::interrupt && seen.state == 0 &&
	    !is_truncated(depth)) {
		// The thread is runnable, and the stack ends at the interrupt
		// that took its CPU away.  A moment ago, on its CPU, the answer
		// would have been the same.
		rec.why = STACK9_WHY_USER_MODE;
		rec.reason = "in user mode, waiting for a CPU";
		return EAGAIN;
	}
	copy_frames(seen, 0, rec);
	if (outermost == frame_class::entry)
		return 0;
	if (depth == 1 && outermost == frame_class::plain &&
	    is_birth(static_cast<std::uintptr_t>(seen.pcs[0]))) {
		rec.flags |= STACK9_STACK_EXACT;
		return 0;
	}
	if (is_truncated(depth))
		rec.why = STACK9_WHY_TRUNCATED;
	else if (outermost != frame_class::interrupt)
		rec.why = STACK9_WHY_UNWIND;
	if (outermost == frame_class::unknown)
		rec.reason = "kernel symbol names are hidden, and only they "
		    "show whether the last frame is the outermost";
	return 0;
}

} // namespace stack9::bpf
