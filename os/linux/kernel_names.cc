// Finds out who hides the kernel's addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "os/kernel_names.h"

#include <cerrno>
#include <string_view>

#include "os/proc_task.h"

namespace stack9 {
namespace {

// With the value 2 no capability helps.  The value 0 does not help either: then
// the addresses show only where kernel.perf_event_paranoid is 1 or less, too.
bool
hides_from_all() noexcept
{
	char buffer[16];
	std::string_view text;
	proc_file f;
	return f.open(AT_FDCWD, "/proc/sys/kernel/kptr_restrict") == 0 &&
	    f.read(buffer, text) == 0 && text.starts_with("2");
}

} // namespace

const char *
kernel_table_refused(int error) noexcept
{
	if (error == EPERM)
		return hides_from_all() ?
		    "/proc/kallsyms shows no addresses: needs "
		    "kernel.kptr_restrict=1 and CAP_SYSLOG" :
		    "/proc/kallsyms shows no addresses: needs CAP_SYSLOG";
	return error == ENOENT ? "there is no /proc/kallsyms" :
	    "/proc/kallsyms cannot be read just now";
}

} // namespace stack9
