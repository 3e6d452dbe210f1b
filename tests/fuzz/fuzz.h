// Says why an input is a fault, and makes a file of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

[[noreturn]] inline void
fail(const char *why)
{
	std::fprintf(stderr, "%s\n", why);
	std::abort();
}

// A descriptor of a file with these bytes; its owner closes it.
inline int
file_of(const std::uint8_t *data, std::size_t size)
{
	const int fd = memfd_create("input", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != static_cast<ssize_t>(size))
		fail("no file can be made");
	return fd;
}
