// Opens raw tracepoints with a cookie.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/unique_fd.h"

namespace stack9::bpf {

// Attaches a program until the descriptor is closed.  None, and errno: the
// kernel refuses.  cookie: 0, or what the program asks for (Linux 6.10).
inline unique_fd
open_raw_tracepoint(const char *name, int program, std::uint64_t cookie)
    noexcept
{
	// The linux/bpf.h of Debian 12 does not have the cookie yet.
	const struct {
		std::uint64_t	name;
		std::uint32_t	program;
		std::uint32_t	unused;
		std::uint64_t	cookie;
	} attr{reinterpret_cast<std::uintptr_t>(name),
	    static_cast<std::uint32_t>(program), 0, cookie};
	// Kernels before 6.10 take it without the cookie: that is 0 there.
	const std::size_t size = cookie != 0 ? sizeof attr : 12;
	return unique_fd(static_cast<int>(syscall(SYS_bpf,
	    BPF_RAW_TRACEPOINT_OPEN, &attr, size)));
}

} // namespace stack9::bpf
