// Lets reads of passes fail, or show nothing.  The read(2) of the program is
// found before libc's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "injected_reads.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/record.h"

namespace {

struct {
	fault	what = fault::none;
	int	error = 0;
	int	good = 0;	// reads of passes before the first bad one
	int	bad = 0;	// and how many are bad
	bool	of_users = false;	// only passes of the program "user"
} injected;

bool
is_pass(int fd)
{
	char path[64], to[64] = "";
	std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return readlink(path, to, sizeof to - 1) > 0 &&
	    std::strcmp(to, "anon_inode:bpf_iter") == 0;
}

bool
is_request(const void *buffer, size_t size)
{
	s9_asked asked{};
	if (size >= sizeof asked)
		std::memcpy(&asked, buffer, sizeof asked);
	return asked.magic == S9_ASKED;
}

// Returns whether this read is a bad one.
bool
strikes(int fd, const void *buffer, size_t size)
{
	if (injected.what == fault::none || !is_pass(fd) ||
	    (injected.of_users && !is_request(buffer, size)))
		return false;
	if (injected.good-- > 0)
		return false;
	return injected.bad-- > 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) ssize_t
read(int fd, void *buffer, size_t size)
{
	// The compiler believes that nobody looks into the buffer.
	asm volatile("" : "+r"(buffer) : : "memory");
	if (!strikes(fd, buffer, size))
		return syscall(SYS_read, fd, buffer, size);
	switch (injected.what) {
	case fault::failure:
		errno = injected.error;
		return -1;
	case fault::no_buffer: {
		s9_record none{};
		none.tid = S9_NO_BUFFER;
		std::memcpy(buffer, &none, S9_RECORD_HEAD);
		return S9_RECORD_HEAD;
	}
	case fault::empty:
	case fault::none:
		break;
	}
	return 0;
}

void
inject(fault what, int bad, int good, int error)
{
	injected.what = what;
	injected.bad = bad;
	injected.good = good;
	injected.error = error;
}

void
inject_of_users(fault what, int bad)
{
	inject(what, bad);
	injected.of_users = true;
}
