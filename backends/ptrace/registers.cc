// Reads a stopped thread's register set, and gives it DWARF numbers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "registers.h"

#include <cerrno>

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "arch/kernel_registers.h"

namespace stack9::tracing {

int
read_registers(pid_t tid, raw_registers &r) noexcept
{
	iovec v{r.bytes, sizeof r.bytes};
	if (ptrace(PTRACE_GETREGSET, tid,
	    reinterpret_cast<void *>(std::uintptr_t{NT_PRSTATUS}), &v) != 0)
		return errno;
	r.size = v.iov_len;
	if (arch::program_of_regs(r.size) == arch::program_kind::unknown)
		return EOPNOTSUPP;
	r.tls = arch::tls_of_regs(tid, r.bytes, r.size);
	return 0;
}

std::uintptr_t
stack_pointer(const raw_registers &r) noexcept
{
	return arch::sp_of_regs(r.bytes, r.size);
}

void
set_registers(const raw_registers &r, user_copy &copy) noexcept
{
	copy.what = arch::program_of_regs(r.size) ==
	    arch::program_kind::ia32 ? user_copy::machine::ia32 :
	    user_copy::machine::native;
	arch::read_regs(r.bytes, r.size, [&](int number, std::uint64_t value) {
		copy.set(number, value);
	});
}

} // namespace stack9::tracing
