// Reads the name of a thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include "os/proc_task.h"

namespace stack9::crash {

text &
write_name(text &to, pid_t pid, pid_t tid) noexcept
{
	char path[64], buffer[32];
	std::string_view name;
	proc_file file;
	std::snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
	if (file.open(AT_FDCWD, path) != 0 || file.read(buffer, name) != 0)
		return to << "?";
	return to.name(name.substr(0, name.find('\n')));
}

} // namespace stack9::crash
