// Reads the registers that a BPF program copied out of the kernel's struct
// pt_regs.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "registers.h"

#include "arch/kernel_registers.h"

namespace stack9::bpf {

bool
read_registers(const s9_user &u, user_copy &copy) noexcept
{
	const arch::program_kind kind = arch::read_pt_regs(u.regs,
	    [&](int number, std::uint64_t value) { copy.set(number, value); });
	if (kind == arch::program_kind::ia32)
		copy.what = user_copy::machine::ia32;
	return kind != arch::program_kind::unknown;
}

} // namespace stack9::bpf
