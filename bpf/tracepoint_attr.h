// Declares the argument of BPF_RAW_TRACEPOINT_OPEN with a cookie.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

namespace stack9::bpf {

// Linux 6.10; linux/bpf.h of Debian 12 does not have the cookie yet.
struct tracepoint_attr {
	std::uint64_t	name;
	std::uint32_t	program;
	std::uint32_t	unused;
	std::uint64_t	cookie;
};

} // namespace stack9::bpf
