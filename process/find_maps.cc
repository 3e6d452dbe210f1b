// Finds a thread of a process whose maps can be read: the one that was asked
// for, or another one if that has ended.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "core/seam/thread.h"
#include "os/open_task.h"
#include "os/task_directory.h"
#include "find_maps.h"
#include "snapshots.h"

namespace stack9::process {

int
maps_finder::text_of(pid_t tid, std::uint64_t start, byte_buffer &text)
    noexcept
{
	int error = open_task(tid, start, task_);
	if (error == 0)
		error = read_maps(task_.get(), text);
	if (error == 0)
		tid_ = tid;
	return error;
}

// The thread may have ended, and its process not.
int
maps_finder::find_text_of_others(byte_buffer &text)
{
	const pid_t pid = kept_.thread_.pid;
	unique_fd leader;
	if (const int error = open_task(pid, kept_.process_start_, leader);
	    error != 0)
		return error;
	const unique_fd tasks(openat(leader.get(), "task",
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	int error = ESRCH;
	if (tasks)
		each_task(tasks.get(), [&](pid_t tid) {
			error = text_of(tid, 0, text);
			// The thread is still in the process, so the
			// text was the process's.
			if (error == 0 && faccessat(tasks.get(),
			    std::to_string(tid).c_str(), F_OK, 0) != 0)
				error = ESRCH;
			return error == ESRCH;
		});
	return error;
}

// Learns when the process began, by which it is known once the thread has
// ended.
// One that began after the thread is another process with that pid.
void
maps_finder::find_process(bool thread_is_there)
{
	const stack9_thread &td = kept_.thread_;
	std::uint64_t start = 0;
	unique_fd leader;
	if ((thread_is_there || td.start != 0) &&
	    open_task(td.pid, 0, leader) == 0 &&
	    start_of(leader.get(), start) == 0 &&
	    (thread_is_there || start <= td.start))
		kept_.process_start_ = start;
}

int
maps_finder::find_text(byte_buffer &text)
{
	const stack9_thread &td = kept_.thread_;
	std::uint64_t &start = kept_.process_start_;
	if (start == 0 && td.pid == td.tid)
		start = td.start;
	const int error = text_of(td.tid, td.start, text);
	if (start == 0)
		find_process(error == 0);
	return error != ESRCH || start == 0 ? error :
	    find_text_of_others(text);
}

} // namespace stack9::process
