// Makes calls that wait for a descriptor that is not a socket's.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "blocked.h"

namespace {

constexpr timespec ages{1000000, 0};

struct two_ends {
	int r, w;
};

two_ends
new_pipe()
{
	int p[2];
	return pipe(p) == 0 ? two_ends{p[0], p[1]} : two_ends{-1, -1};
}

void
read_from(int fd)
{
	sit_in([=] {
		char bytes[128];
		return read(fd, bytes, sizeof bytes);
	});
}

// Two open descriptions of one file.
two_ends
same_file_twice()
{
	const int fd = memfd_create("locked", MFD_CLOEXEC);
	const std::string name = "/proc/self/fd/" + std::to_string(fd);
	return {fd, open(name.c_str(), O_RDWR | O_CLOEXEC)};
}

void
wait_for_events()
{
	static const int e = epoll_create1(0);
	sit_in([] {
		epoll_event v;
		return epoll_wait(e, &v, 1, -1);
	});
}

void
wait_for_events_and_signals()
{
	static const int e = epoll_create1(0);
	sit_in([] {
		const sigset_t none{};
		epoll_event v;
		return epoll_pwait(e, &v, 1, 1000000000, &none);
	});
}

// Not by its name: glibc has it from 2.35 on only.
void
wait_for_events_to_the_nanosecond()
{
	static const int e = epoll_create1(0);
	const auto wait = [](const timespec &time) {
		epoll_event v;
		return syscall(SYS_epoll_pwait2, e, &v, 1, &time, nullptr, 0);
	};
	if (wait(timespec{}) != 0)
		return cannot_sit();
	sit_in([=] { return wait(ages); });
}

void
fill_a_pipe()
{
	static const char page[4096] = {};
	const int fd = new_pipe().w;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, page, sizeof page) > 0)
		;
	fcntl(fd, F_SETFL, 0);
	sit_in([=] { return write(fd, page, sizeof page); });
}

// Through a descriptor, so that no file is left when we are killed.
void
open_a_fifo()
{
	std::string dir = "/tmp/stack9.XXXXXX";
	if (mkdtemp(dir.data()) == nullptr)
		return cannot_sit();
	const std::string fifo = dir + "/fifo";
	mkfifo(fifo.c_str(), 0600);
	const int fd = open(fifo.c_str(), O_PATH);
	unlink(fifo.c_str());
	rmdir(dir.c_str());
	static const std::string name = "/proc/self/fd/" + std::to_string(fd);
	sit_in([] { return open(name.c_str(), O_RDONLY); });
}

void
lock_twice()
{
	const two_ends f = same_file_twice();
	flock(f.r, LOCK_EX);
	sit_in([=] { return flock(f.w, LOCK_EX); });
}

void
lock_a_range_twice()
{
	const two_ends f = same_file_twice();
	static struct flock all{F_WRLCK, SEEK_SET, 0, 0, 0};
	fcntl(f.r, F_OFD_SETLK, &all);
	sit_in([=] { return fcntl(f.w, F_OFD_SETLKW, &all); });
}

void
wait_for_a_ring()
{
	io_uring_params p{};
	const long fd = syscall(SYS_io_uring_setup, 1, &p);
	if (fd < 0)
		return cannot_sit();
	sit_in([=] {
		return syscall(SYS_io_uring_enter, fd, 0, 1,
		    IORING_ENTER_GETEVENTS, nullptr, 0);
	});
}

void
wait_for_old_rings()
{
	aio_context_t context = 0;
	if (syscall(SYS_io_setup, 1, &context) != 0)
		return cannot_sit();
	sit_in([=] {
		io_event v;
		return syscall(SYS_io_getevents, context, 1, 1, &v, nullptr);
	});
}

} // namespace

std::vector<blocking_call>
calls_of_files()
{
	return {
	{"epoll_wait", "epoll_wait", "epoll_wait", wait_for_events},
	{"epoll_pwait", "epoll_pwait", "epoll_pwait",
	    wait_for_events_and_signals},
	{"epoll_pwait2", "epoll_pwait2", "syscall",
	    wait_for_events_to_the_nanosecond},
	{"poll", "poll", "poll", [] {
		const int fd = new_pipe().r;
		sit_in([=] {
			pollfd f{fd, POLLIN, 0};
			return poll(&f, 1, -1);
		});
	}},
	{"ppoll", "ppoll", "ppoll", [] {
		const int fd = new_pipe().r;
		sit_in([=] {
			pollfd f{fd, POLLIN, 0};
			return ppoll(&f, 1, &ages, nullptr);
		});
	}},
	{"select", "select", nullptr, [] {
		sit_in([] {
			return select(0, nullptr, nullptr, nullptr, nullptr);
		});
	}},
	{"pselect", "pselect", nullptr, [] {
		sit_in([] {
			const sigset_t none{};
			return pselect(0, nullptr, nullptr, nullptr, &ages,
			    &none);
		});
	}},
	{"read of a pipe", "read", "read", [] { read_from(new_pipe().r); }},
	{"read of an eventfd", "read", "read", [] {
		read_from(eventfd(0, 0));
	}},
	{"read of a signalfd", "read", "read", [] {
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		read_from(signalfd(-1, &set, 0));
	}},
	{"read of a timerfd", "read", "read", [] {
		read_from(timerfd_create(CLOCK_MONOTONIC, 0));
	}},
	{"read of an inotify", "read", "read", [] {
		read_from(inotify_init1(0));
	}},
	{"write to a full pipe", "write", "write", fill_a_pipe},
	{"open of a fifo", "open", nullptr, open_a_fifo},
	{"flock", "flock", "flock", lock_twice},
	{"fcntl", "fcntl", nullptr, lock_a_range_twice},
	{"io_uring_enter", "io_uring_enter", "syscall", wait_for_a_ring},
	{"io_getevents", "io_getevents", "syscall", wait_for_old_rings},
	};
}
