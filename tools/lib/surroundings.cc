// Asks the kernel, and opens "/" where a stream is closed: that needs no
// device, and can be neither read nor written.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "surroundings.h"

#include <cerrno>
#include <cstdio>
#include <new>

#include <fcntl.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include "command_line.h"
#include "proc.h"

namespace tools {
namespace {

// A capture holds some ten at once.
constexpr rlim_t few = 32;

bool
has_syslog()
{
	const cap_t caps = cap_get_proc();
	cap_flag_value_t on = CAP_CLEAR;
	const bool has = caps != nullptr &&
	    cap_get_flag(caps, CAP_SYSLOG, CAP_EFFECTIVE, &on) == 0 &&
	    on == CAP_SET;
	cap_free(caps);
	return has;
}

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

int
end_for(const char *program, const std::exception &e)
{
	const bool memory = dynamic_cast<const std::bad_alloc *>(&e) != nullptr;
	std::fprintf(stderr, "%s: %s\n", program, memory ? "out of memory" :
	    e.what());
	return exit_none;
}

bool
proc_is_mounted()
{
	return access("/proc/self", F_OK) == 0;
}

// With the value 2 no capability helps.
std::string
hidden_names()
{
	if (read_file("/proc/sys/kernel/kptr_restrict") == "2")
		return "names are hidden, from root too: try: sysctl "
		    "kernel.kptr_restrict=1, with which CAP_SYSLOG shows them";
	return has_syslog() ? "names are hidden: they need CAP_SYSLOG, which "
	    "is held here; a user namespace may be why" :
	    "names are hidden: they need CAP_SYSLOG, which is missing here";
}

} // namespace tools
