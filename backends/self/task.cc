// Reads the identity, the posture and the signal mask of a thread of this
// process, or says why it cannot.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "task.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "core/seam/identify.h"
#include "os/clocks.h"

namespace stack9::self {
namespace {

int
refuse_file(stack_record &rec, int error) noexcept
{
	switch (error) {
	case ESRCH:
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	case EPERM:
		return refuse(rec, EPERM, STACK9_WHY_RIGHTS,
		    "/proc/self/task is closed to its own process");
	default:
		return refuse(rec, error, STACK9_WHY_RESOURCE,
		    error == EMFILE || error == ENFILE ?
		    "out of file descriptors" :
		    "a file of /proc/self/task could not be opened or read");
	}
}

} // namespace

int
task::open(const stack9_thread &td, stack_record &rec) noexcept
{
	char buffer[1024];
	std::string_view line;
	int error = dir_.open_own(td.tid);
	if (error == 0)
		error = dir_.read("stat", buffer, line);
	if (error != 0)
		return refuse_file(rec, error);
	thread_stat stat;
	if (!parse_stat(line, stat))
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	error = identify(stat, {td.tid, getpid(), td.start}, rec);
	if (error != 0)
		return error;
	rec.when_ns = boot_ns();
	return refuse_dead(rec, rec.state);
}

// Root owns the files of a thread that has given its memory back.
int
task::refuse_posture(int error, stack_record &rec) noexcept
{
	char buffer[1024];
	std::string_view line;
	std::uint64_t flags = 0;
	if (error != EPERM)
		return refuse_file(rec, error);
	if (const int now = dir_.read("stat", buffer, line); now != 0)
		return refuse_file(rec, now);
	const auto end_of_comm = line.rfind(") ");
	if (end_of_comm != line.npos)
		stack9::number(word(line.substr(end_of_comm + 2), 9 - 3),
		    flags);
	return (flags & flag_exiting) != 0 ?
	    refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr) :
	    refuse_file(rec, error);
}

int
task::read_status(thread_status &status, stack_record &rec) noexcept
{
	const int error = reader_.read_status(dir_, status);
	return error != 0 ? refuse_posture(error, rec) :
	    refuse_dead(rec, status.state);
}

int
task::read_posture(posture &p, stack_record &rec) noexcept
{
	thread_status status;
	if (const int error = reader_.read_registers(dir_, p); error != 0)
		return refuse_posture(error, rec);
	if (p.running)
		return 0;
	if (const int error = read_status(status, rec); error != 0)
		return error;
	p.switches = status.switches;
	// The thread has given its kernel stack back: it is exiting.
	return p.sp != 0 ? 0 :
	    refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr);
}

int
task::blocks(int signo, bool &yes, stack_record &rec) noexcept
{
	thread_status status;
	if (const int error = read_status(status, rec); error != 0)
		return error;
	yes = (status.blocked >> (signo - 1) & 1) != 0;
	return 0;
}

int
task::probe() noexcept
{
	proc_task self;
	posture_reader reader;
	posture p;
	const int error = self.open_own(static_cast<pid_t>(
	    syscall(SYS_gettid)));
	return error != 0 ? error : reader.read_registers(self, p);
}

} // namespace stack9::self
