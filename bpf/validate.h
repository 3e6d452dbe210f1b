// Validates a sample of a sleeping thread and turns it into the caller's
// record.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

#include "record.h"

namespace stack9::bpf {

inline constexpr std::uint32_t pf_exiting = 0x4;	// <linux/sched.h>

// Copies the thread's name, state, cpu, time and identity into rec.  0, or
// ESRCH: the thread is not the one that td names, or it is dead.
int validate_identity(const s9_record &seen, const stack9_thread &td,
    stack_record &rec) noexcept;

// Validates the sample of a thread off a CPU.  0: the frames are in rec, and
// why is STACK9_WHY_UNWIND if the walk ended at no known root.  EAGAIN: the
// thread was on a CPU, and l leads to it, or it ran meanwhile.  ESRCH as above.
int validate_sleeper(const s9_record &seen, const stack9_thread &td,
    stack_record &rec, lead &l) noexcept;

// The frames that a sample has: no more than fit into it, whatever it says.
std::uint32_t depth_of(const s9_record &seen) noexcept;

// Copies a sample, and only as many pcs as it has.
void copy_sample(const s9_record &from, s9_record &to) noexcept;

// Copies frames [from, depth of seen) into rec, as many as fit.
void copy_frames(const s9_record &seen, std::uint32_t from,
    stack_record &rec) noexcept;

// Explains why no program finds a thread.  ESRCH: the thread is gone, or its
// tid is another thread's now.  EOPNOTSUPP: /proc still has it.  A guarded
// machine hides some of its threads from BPF; "no such thread" would be a lie
// there, and another route may find it.  EAGAIN: the thread began in the last
// tenth of a second, perhaps after the search.
int explain_missing_thread(const stack9_thread &, stack_record &) noexcept;

// Explain the end of a pass.  A pass over a process that has shown no thread
// means ESRCH, unless /proc has the process.  A pass over the machine has to
// show the calling thread, because that is a thread of the machine.  EIO: the
// pass has failed, and it is another route's turn.
int explain_process_pass(pid_t, bool shown) noexcept;
int explain_machine_pass(bool caller_shown) noexcept;

// True if the kernel, or the capacity of s9_record, cut a stack of this depth.
bool is_truncated(std::uint32_t depth) noexcept;

// Explains why the kernel's stack helper refused: EAGAIN or ESRCH, with a why.
int validate_refusal(const s9_record &seen, stack_record &rec) noexcept;

// The letter of /proc/TID/stat.
char state_letter(std::uint32_t state, std::uint32_t exit_state) noexcept;

// Boot time in the caller's time namespace, in clock ticks, as
// /proc/TID/stat has it.
std::uint64_t start_ticks(pid_t tid, std::uint64_t start_ns) noexcept;
inline std::uint64_t
start_ticks(const s9_record &seen) noexcept
{
	return start_ticks(seen.tid, seen.start_ns);
}

} // namespace stack9::bpf
