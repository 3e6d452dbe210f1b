// Keeps programs in bpffs from one process to the next.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace stack9::bpf {

int pin(const char *dir) noexcept;	// as stack9_pin()

} // namespace stack9::bpf
