// Lets only one thread of this process capture at a time.
//
// Two captures at once can show another thread's stack, or disable a CPU's
// stack capture until reboot, on preemptible kernels without the fix of
// CVE-2026-89580: the kernel's callchain buffer is per CPU, and a preempted
// user of it shares it with the next.  The lock also guards the maps that
// programs write into.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <mutex>

namespace stack9::bpf {

std::mutex &capture_mutex() noexcept;
std::mutex &load_mutex() noexcept;	// locked after capture_mutex, if both

// A number that differs in each forked child.  Parent and child hold no common
// lock, so the child does not use what its parent loaded.
unsigned int fork_generation() noexcept;

using guard = std::lock_guard<std::mutex>;

} // namespace stack9::bpf
