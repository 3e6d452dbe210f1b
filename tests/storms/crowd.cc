// Makes a process that is never the same: threads are born, wait for some
// milliseconds, and end, thousands a second; processes fork, and become this
// program again by execve(2).  Each thread carries its mark in its stack: the
// functions that it is in say which tid it has and when it started.
//
//	storms_crowd READY BIRTHS: begins, and writes a byte into the descriptor
//		READY when it has; counts births in the page of BIRTHS
//	storms_crowd born: a process that was made by execve(2)
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mark.h"
#include "user/as_it_stands.h"

namespace {

// The length of a life.  It differs by its mark.
timespec
life(std::uint32_t mark)
{
	return {0, 500'000 + (mark * 2654435761u >> 12) % 4'000'000};
}

} // namespace

extern "C" {

AS_IT_STANDS void
storm_polls(std::uint32_t mark)
{
	const timespec t = life(mark);
	ppoll(nullptr, 0, &t, nullptr);
	asm volatile("" ::: "memory");
}

AS_IT_STANDS void
storm_sleeps(std::uint32_t mark)
{
	const timespec t = life(mark);
	nanosleep(&t, nullptr);
	asm volatile("" ::: "memory");
}

AS_IT_STANDS void
storm_waits(std::uint32_t mark)
{
	const timespec t = life(mark);
	int word = 0;
	syscall(SYS_futex, &word, FUTEX_WAIT, 0, &t);
	asm volatile("" ::: "memory");
}

AS_IT_STANDS void
storm_runs(std::uint32_t mark)
{
	for (std::uint32_t i = 0; i < 200 + mark % 2000; i++)
		syscall(SYS_getppid);
	asm volatile("" ::: "memory");
}

void storm_0(std::uint32_t mark, int left);
void storm_1(std::uint32_t mark, int left);

// One function for each bit, the highest first, then the place of the lowest.
AS_IT_STANDS void
storm_next(std::uint32_t mark, int left)
{
	if (left > 0)
		return (mark >> (left - 1) & 1) != 0 ?
		    storm_1(mark, left - 1) : storm_0(mark, left - 1);
	switch (mark % 4) {
	case 0:	storm_polls(mark); break;
	case 1:	storm_sleeps(mark); break;
	case 2:	storm_waits(mark); break;
	default: storm_runs(mark);
	}
	asm volatile("" ::: "memory");
}

AS_IT_STANDS void
storm_0(std::uint32_t mark, int left)
{
	storm_next(mark, left);
	asm volatile("" ::: "memory");
}

AS_IT_STANDS void
storm_1(std::uint32_t mark, int left)
{
	storm_next(mark, left);
	asm volatile("" ::: "memory");
}

}

namespace {

// Field 22 of /proc/thread-self/stat; a name in it has no blank here.
std::uint64_t
own_start()
{
	char text[512];
	const int fd = open("/proc/thread-self/stat", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	const char *at = std::strrchr(text, ')');
	for (int field = 2; field < 22 && at != nullptr; field++)
		at = std::strchr(at + 1, ' ');
	return at == nullptr ? 0 : std::strtoull(at, nullptr, 10);
}

std::atomic<unsigned long> *births;	// NULL: nobody asks

void *
live(void *)
{
	if (births != nullptr)
		++*births;
	const std::uint32_t mark = mark_of(gettid(), own_start());
	storm_next(mark, mark_bits);
	return nullptr;
}

// Four threads at a time, as fast as they go.
[[noreturn]] void
bear()
{
	for (;;) {
		pthread_t all[4];
		int n = 0;
		for (pthread_t &one : all)
			n += pthread_create(&one, nullptr, live, nullptr) == 0;
		for (int i = 0; i < n; i++)
			pthread_join(all[i], nullptr);
	}
}

// A child lives, execs, lives again as another program, and ends.
[[noreturn]] void
breed(const char *self)
{
	for (;;) {
		const pid_t pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			live(nullptr);
			execl(self, self, "born", nullptr);
			_exit(1);
		}
		if (pid > 0)
			waitpid(pid, nullptr, 0);
	}
}

void *
breeder(void *self)
{
	breed(static_cast<const char *>(self));
}

void *
bearer(void *)
{
	bear();
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc == 2 && std::strcmp(argv[1], "born") == 0) {
		live(nullptr);
		return 0;
	}
	if (argc != 3)
		return 64;
	void *const page = mmap(nullptr, sizeof *births,
	    PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argv[2]), 0);
	if (page == MAP_FAILED)
		return 71;
	births = static_cast<std::atomic<unsigned long> *>(page);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	static char self[4096];
	if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
		return 71;
	pthread_t more;
	for (int i = 0; i < 3; i++)
		if (pthread_create(&more, nullptr, bearer, nullptr) != 0)
			return 71;
	if (pthread_create(&more, nullptr, breeder, self) != 0)
		return 71;
	(void)!write(std::atoi(argv[1]), "", 1);
	pause();
}
