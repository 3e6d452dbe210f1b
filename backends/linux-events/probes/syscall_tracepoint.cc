// Reads the numbers of system calls' tracepoints from tracefs, mounted or not.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "syscalls.h"
#include "bpf/tracefs.h"

#include <cstdlib>
#include <new>
#include <string>

#include <fcntl.h>
#include <unistd.h>


namespace stack9::events {
namespace {

std::uint64_t
number_in(int dir, const char *path) noexcept
{
	const unique_fd file(dir < 0 ? -1 :
	    openat(dir, path, O_RDONLY | O_CLOEXEC));
	char digits[32];
	const ssize_t n = file ? read(file.get(), digits, sizeof digits - 1) :
	    0;
	digits[n > 0 ? n : 0] = '\0';
	return std::strtoull(digits, nullptr, 10);
}

} // namespace

std::uint64_t
syscall_tracepoint(const probe &p) noexcept
{
	try {
		const unique_fd root = bpf::root_of_tracefs();
		for (const std::string &name : syscall_tracepoint_names(p)) {
			const std::string path = "events/syscalls/" + name +
			    "/id";
			if (const std::uint64_t n = number_in(root.get(),
			    path.c_str()); n != 0)
				return n;
		}
		return 0;
	} catch (const std::bad_alloc &) {
		return 0;
	}
}

std::uint64_t
tracepoint_of_calls(bool returns) noexcept
{
	try {
		const unique_fd root = bpf::root_of_tracefs();
		return number_in(root.get(), returns ?
		    "events/raw_syscalls/sys_exit/id" :
		    "events/raw_syscalls/sys_enter/id");
	} catch (const std::bad_alloc &) {
		return 0;
	}
}

} // namespace stack9::events
