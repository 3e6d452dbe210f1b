// Calls programs as functions, by BPF_PROG_TEST_RUN.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "program.h"

#include <linux/bpf.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture_lock.h"

namespace stack9::bpf {

int
run_program(int program, void *context, std::uint32_t size, int cpu,
    std::uint32_t *result) noexcept
{
	bpf_attr attr{};
	attr.test.prog_fd = static_cast<std::uint32_t>(program);
	attr.test.ctx_in = reinterpret_cast<std::uintptr_t>(context);
	attr.test.ctx_size_in = size;
	if (cpu >= 0) {
		attr.test.flags = BPF_F_TEST_RUN_ON_CPU;
		attr.test.cpu = static_cast<std::uint32_t>(cpu);
	}
	if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof attr) != 0)
		return errno;
	if (result != nullptr)
		*result = attr.test.retval;
	return 0;
}

namespace {

int
try_program(object &o, bool second, void *context, std::uint32_t size,
    int cpu, std::uint32_t *result) noexcept
{
	const int first = o.program();
	const int program = second ? o.second_program() : first;
	if (program < 0)
		return EBADF;
	const int kept = errno;
	const int error = run_program(program, context, size, cpu, result);
	// EINVAL: the descriptor is open but is not a program: a daemon closed
	// all it had inherited and opened another file there.  With a CPU,
	// EINVAL may also mean that the kernel has no such flag, so the program
	// is run without one.
	const bool not_ours = error == EBADF || (error == EINVAL && (cpu < 0 ||
	    run_program(program, context, size, -1, nullptr) == EINVAL));
	errno = kept;
	if (not_ours)
		o.lost(first);
	return not_ours ? EBADF : error;
}

} // namespace

int
try_run(object &o, void *context, std::uint32_t size, int cpu,
    std::uint32_t *result) noexcept
{
	return try_program(o, false, context, size, cpu, result);
}

int
try_run_second(object &o, void *context, std::uint32_t size) noexcept
{
	return try_program(o, true, context, size, -1, nullptr);
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

int
probe_on_cpu(object &o, void *context, std::uint32_t size,
    std::atomic<bool> &works) noexcept
{
	if (works.load(std::memory_order_relaxed))
		return 0;
	const guard locked(capture_mutex());
	const int error = run(o, context, size, sched_getcpu());
	if (error == 0)
		works.store(true, std::memory_order_relaxed);
	return error;
}

} // namespace stack9::bpf
