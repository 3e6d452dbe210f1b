// Asks the kernel, and opens "/" where a stream is closed: that needs no
// device, and can be neither read nor written.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "surroundings.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

namespace stackprint {
namespace {

// A capture holds some ten at once.
constexpr rlim_t few = 32;

} // namespace

// open() returns the lowest place that is free.
void
fill_standard_streams()
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			(void)!open("/", O_PATH | O_CLOEXEC);
}

void
raise_descriptors()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

std::string
few_descriptors()
{
	rlimit limit{};
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= few)
		return {};
	return fmt::format("only {} files may be open (RLIMIT_NOFILE): stacks "
	    "and names may be missing for that; try: ulimit -n 1024",
	    limit.rlim_cur);
}

bool
proc_is_mounted()
{
	return access("/proc/self", F_OK) == 0;
}

} // namespace stackprint
