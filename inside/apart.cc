// Has nothing to do for stack9_read_apart(): this library reads no files of
// other processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <stack9.h>

extern "C" int
stack9_read_apart(unsigned int flags)
{
	return (flags & ~STACK9_APART_NAMES) != 0 ? EINVAL : 0;
}
