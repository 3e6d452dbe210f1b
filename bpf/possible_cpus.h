// Counts the CPUs that a map of values for each CPU has.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bpf/libbpf.h>

#include "scoped.h"

namespace stack9::bpf {

// 1 if the kernel does not say.
inline unsigned int
possible_cpus() noexcept
{
	const silence_libbpf quiet;
	const int n = libbpf_num_possible_cpus();
	return n < 1 ? 1U : static_cast<unsigned int>(n);
}

} // namespace stack9::bpf
