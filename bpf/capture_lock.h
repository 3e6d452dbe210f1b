// One capture of this process at a time.
//
// Two at once can show another thread's stack, or disable a CPU's stack
// capture until reboot, on preemptible kernels without the fix of
// CVE-2026-89580: the kernel's callchain buffer is per CPU, and a preempted
// user of it shares it with the next.  The lock also owns the maps that
// programs write into.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>

namespace stack9::bpf {

std::mutex &capture_mutex() noexcept;
std::mutex &load_mutex() noexcept;	// taken after capture_mutex, if both

// Differs in each forked child: what its parent loaded is then its parent's,
// for parent and child hold no common lock.
unsigned int fork_generation() noexcept;

using guard = std::lock_guard<std::mutex>;

} // namespace stack9::bpf
