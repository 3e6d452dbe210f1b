// BPF_PROG_TEST_RUN, which is how programs are called as functions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::bpf {
namespace {

int
try_program(object &o, int program, void *context, std::uint32_t size,
    int cpu, std::uint32_t *result) noexcept
{
	if (program < 0)
		return EBADF;
	bpf_attr attr{};
	attr.test.prog_fd = static_cast<std::uint32_t>(program);
	attr.test.ctx_in = reinterpret_cast<std::uintptr_t>(context);
	attr.test.ctx_size_in = size;
	if (cpu >= 0) {
		attr.test.flags = BPF_F_TEST_RUN_ON_CPU;
		attr.test.cpu = static_cast<std::uint32_t>(cpu);
	}
	const int kept = errno;
	const int error = syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr,
	    sizeof attr) == 0 ? 0 : errno;
	errno = kept;
	if (error == 0 && result != nullptr)
		*result = attr.test.retval;
	// A descriptor that is open but no program's: a daemon closed all it
	// had inherited and opened something else there.
	const bool not_ours = error == EBADF || (error == EINVAL && cpu < 0);
	if (not_ours)
		o.lost();
	return not_ours ? EBADF : error;
}

} // namespace

int
try_run(object &o, void *context, std::uint32_t size, int cpu,
    std::uint32_t *result) noexcept
{
	return try_program(o, o.program(), context, size, cpu, result);
}

int
try_run_second(object &o, void *context, std::uint32_t size) noexcept
{
	return try_program(o, o.second_program(), context, size, -1, nullptr);
}

int
run(object &o, void *context, std::uint32_t size, int cpu,
    std::uint32_t *result) noexcept
{
	const int error = try_run(o, context, size, cpu, result);
	if (error != EBADF)
		return error;
	const verdict v = o.load();
	return v.error != 0 ? v.error :
	    try_run(o, context, size, cpu, result);
}

} // namespace stack9::bpf
