// Reads a pass of a task iterator whose records have one size.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include <unistd.h>

#include "bpf/refusal.h"
#include "iter.h"

namespace stack9::bpf {

// Calls f with each record until it returns a value other than 0: that is then
// the result.  tid, pid: as in open_link().  Returns 0 or an errno.
template <class Record, class F>
int
read_records(object &program, pid_t tid, pid_t pid, F f) noexcept
{
	constexpr std::size_t size = 32 * 1024;	// the kernel gathers as much
	const std::unique_ptr<char[]> bytes(new (std::nothrow) char[size]);
	unique_fd link, pass;
	int error = bytes == nullptr ? ENOMEM :
	    open_link(program, tid, pid, link);
	if (error == 0)
		error = open_pass(link, pass);
	std::size_t have = 0;
	while (error == 0) {
		const ssize_t n = ::read(pass.get(), bytes.get() + have,
		    size - have);
		if (n == 0)
			return 0;
		if (n < 0) {
			if (errno != EINTR && errno != EAGAIN)
				error = failure(errno);
			continue;
		}
		have += static_cast<std::size_t>(n);
		std::size_t at = 0;
		for (; have - at >= sizeof(Record) && error == 0;
		     at += sizeof(Record)) {
			Record r;
			std::memcpy(&r, bytes.get() + at, sizeof r);
			error = f(r);
		}
		have -= at;
		std::memmove(bytes.get(), bytes.get() + at, have);
	}
	return error;
}

} // namespace stack9::bpf
