// Reads /proc/self/task/TID: stat for the identity of a thread, status for its
// switch counts, and syscall for sp and pc.  The kernel gives sp and pc only
// for a thread that it finds off its CPU twice without a switch in between.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "task.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/linux/clocks.h"
#include "os/linux/proc_task.h"
#include "os/linux/stat_line.h"

#include "routes.h"

namespace stack9::self {
namespace {

constexpr std::size_t file_size = 4096;	// status is the longest, 1.5 KiB

void
close_if_open(int fd) noexcept
{
	if (fd >= 0)
		close(fd);
}

// ENOENT and ESRCH from /proc both mean that the thread is gone.
int
refuse_file(stack_record &rec, int error) noexcept
{
	switch (error) {
	case ENOENT:
	case ESRCH:
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	case EACCES:
	case EPERM:
		return refuse(rec, EPERM, STACK9_WHY_RIGHTS,
		    "/proc/self/task is closed to its own process");
	default:
		return refuse(rec, error, STACK9_WHY_RESOURCE,
		    "a file of /proc/self/task could not be opened or read");
	}
}

} // namespace

task::~task()
{
	close_if_open(status_);
	close_if_open(syscall_);
	close_if_open(directory_);
}

int
task::open_file(const char *name, int &fd, stack_record &rec) noexcept
{
	if (fd < 0)
		fd = openat(directory_, name, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? refuse_file(rec, errno) : 0;
}

int
task::read_file(int fd, char *to, std::size_t size, stack_record &rec) noexcept
{
	const ssize_t n = pread(fd, to, size - 1, 0);
	if (n <= 0)
		return refuse_file(rec, n < 0 ? errno : ESRCH);
	to[n] = '\0';
	return 0;
}

int
task::open(const stack9_thread &td, stack_record &rec) noexcept
{
	char text[file_size];
	std::snprintf(text, sizeof text, "/proc/self/task/%d", td.tid);
	directory_ = ::open(text, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory_ < 0)
		return refuse_file(rec, errno);
	int stat = -1;
	int error = open_file("stat", stat, rec);
	if (error == 0)
		error = read_file(stat, text, sizeof text, rec);
	close_if_open(stat);
	if (error != 0)
		return error;
	thread_stat now_is;
	if (!parse_stat(text, now_is))
		return refuse(rec, ESRCH, STACK9_WHY_GONE, nullptr);
	rec.thread = {td.tid, getpid(), now_is.start};
	rec.state = now_is.state;
	rec.cpu = now_is.cpu;
	copy_name(rec.comm, now_is.comm);
	if (td.start != 0 && td.start != rec.thread.start)
		return refuse(rec, ESRCH, STACK9_WHY_REUSED, nullptr);
	rec.when_ns = boot_ns();
	return refuse_dead(rec, rec.state);
}

int
task::read_status(char *to, std::size_t size, stack_record &rec) noexcept
{
	int error = open_file("status", status_, rec);
	if (error == 0)
		error = read_file(status_, to, size, rec);
	if (error != 0)
		return error;
	const char *state = std::strstr(to, "\nState:\t");
	return state == nullptr ? 0 : refuse_dead(rec, state[8]);
}

int
task::read_posture(posture &p, stack_record &rec) noexcept
{
	char text[file_size];
	int error = open_file("syscall", syscall_, rec);
	if (error == 0)
		error = read_file(syscall_, text, sizeof text, rec);
	if (error != 0)
		return error;
	p.running = !parse_syscall(text, p.sp, p.pc);
	if (p.running)
		return 0;
	error = read_status(text, sizeof text, rec);
	if (error != 0)
		return error;
	p.voluntary = number_behind(text, "\nvoluntary_ctxt_switches:", 10);
	p.involuntary =
	    number_behind(text, "\nnonvoluntary_ctxt_switches:", 10);
	// The thread has given its kernel stack back: it is exiting.
	if (p.sp == 0)
		return refuse(rec, ESRCH, STACK9_WHY_EXITING, nullptr);
	return 0;
}

int
task::blocks(int signo, bool &yes, stack_record &rec) noexcept
{
	char text[file_size];
	const int error = read_status(text, sizeof text, rec);
	if (error != 0)
		return error;
	const std::uint64_t mask = number_behind(text, "\nSigBlk:", 16);
	yes = (mask >> (signo - 1) & 1) != 0;
	return 0;
}

int
task::probe() noexcept
{
	char path[64];
	std::snprintf(path, sizeof path, "/proc/self/task/%ld/syscall",
	    syscall(SYS_gettid));
	const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	char c;
	const int error = read(fd, &c, 1) == 1 ? 0 : errno;
	close(fd);
	return error;
}

} // namespace stack9::self
