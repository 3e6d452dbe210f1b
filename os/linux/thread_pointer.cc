// Finds a thread pointer by the list of robust mutexes, whose head lies in the
// memory that the C library keeps for each thread.
//
// ptrace(2) would have to stop the thread, and the kernel's BPF programs are
// not on every machine.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/thread_pointer.h"

#include <array>
#include <cstddef>

#include <sys/syscall.h>
#include <unistd.h>

#include "os/process_memory.h"

namespace stack9 {

// glibc and musl begin this memory with its own address, because code of x86-64
// reads fs at fs:0.
std::uint64_t
thread_pointer(pid_t tid) noexcept
{
#ifdef __x86_64__
	std::array<std::uint64_t, 256> before;
	constexpr std::size_t most = sizeof before, least = 16 * 8;
	std::uint64_t head = 0, size = 0;
	if (syscall(SYS_get_robust_list, tid, &head, &size) != 0 ||
	    head < (1 << 16) || head % 8 != 0)
		return 0;
	for (const std::size_t n : {std::size_t{768}, most, least}) {
		const std::uint64_t from = head - n;
		if (read_directly(tid, from, before.data(), n) !=
		    static_cast<ssize_t>(n))
			continue;
		for (std::size_t i = n / 8; i-- > 0;)
			if (before[i] == from + 8 * i)
				return before[i];
	}
#else
	static_cast<void>(tid);
#endif
	return 0;
}

} // namespace stack9
