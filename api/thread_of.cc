// Reads from /proc what it says of threads, and lists those of a process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "own_space.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include <fcntl.h>

#include "core/arguments.h"
#include "core/seam/thread.h"
#include "os/proc_error.h"
#include "os/proc_task.h"
#include "os/task_directory.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// All threads that the process has while its directory is read.
int
list_threads(const stack9_thread &td, std::vector<stack9_thread> &all)
{
	char path[32];
	std::snprintf(path, sizeof path, "/proc/%d/task", td.pid);
	const unique_fd tasks(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (!tasks)
		return proc_error(errno);
	int error = 0;
	each_task(tasks.get(), [&](pid_t tid) {
		stack9_thread found{};
		thread_stat stat{};
		const int why = find_thread(tid, found, stat);
		if (why == 0 && found.pid == td.pid)
			all.push_back(found);
		else if (why != 0 && why != ESRCH)
			error = why;
		return error == 0;
	});
	if (error == 0 && all.empty())
		error = ESRCH;
	std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
		return a.tid < b.tid;
	});
	return error;
}

} // namespace

bool
is_kernel_thread(const stack9_thread &td) noexcept
{
	const uncancelled guard;
	proc_task task;
	char buffer[1024];
	std::string_view text;
	if (task.open(td.tid) != 0 || task.read("stat", buffer, text) != 0)
		return false;
	std::uint64_t flags = 0;
	const auto name_end = text.rfind(')');
	return name_end != text.npos && name_end + 2 < text.size() &&
	    number(word(text.substr(name_end + 2), 9 - 3), flags) &&
	    (flags & flag_kernel) != 0;
}

} // namespace stack9

extern "C" int
stack9_thread_list(const struct stack9_thread *td, struct stack9_thread *list,
    uint32_t max, uint32_t *count)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {td == nullptr, has_no_td},
	    {td != nullptr && td->pid < 1, has_no_pid},
	    {count == nullptr, "count is NULL"},
	    {list == nullptr && max != 0, "list is NULL, and max is not 0"},
	    }); error != 0)
		return error;
	return public_call([&] {
		std::vector<stack9_thread> all;
		if (const int error = list_threads(*td, all); error != 0)
			return error;
		*count = static_cast<std::uint32_t>(all.size());
		std::copy_n(all.begin(), std::min(max, *count), list);
		return 0;
	});
}
