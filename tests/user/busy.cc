// Runs threads that never stay where they are.  It is built with frame pointers
// and without; its argument is the number of a descriptor, of the page.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "busy.h"

#include <csignal>
#include <cstdlib>
#include <ctime>

#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "as_it_stands.h"

// The names stay as they are; a frame of another size for each, so that one
// stack never resembles another.
namespace {

using thread = busy::page::thread;

busy::page *all;
int pipes[2][2];
int dev_null;

std::uint64_t
now()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return static_cast<std::uint64_t>(t.tv_sec) * 1000000000 +
	    static_cast<std::uint64_t>(t.tv_nsec);
}

} // namespace

#define	FUNCTION(name, bytes, deed)					\
extern "C" AS_IT_STANDS void						\
name(int me)								\
{									\
	volatile char frame[bytes];					\
	frame[0] = static_cast<char>(me);				\
	deed;								\
	asm volatile("" :: "r"(frame) : "memory");			\
}

namespace {

inline const timespec millisecond{0, 1000000};

// asm, or the loop may be taken for none.
#define	COUNT_TO(n)							\
	for (int i = 0; i < (n); i++)					\
		asm volatile("");

} // namespace

FUNCTION(nap_3, 40, clock_nanosleep(CLOCK_MONOTONIC, 0, &millisecond, nullptr))
FUNCTION(nap_2, 400, nap_3(me))
FUNCTION(nap_1, 16, nap_2(me))

FUNCTION(doze_2, 1000, pollfd p{}; p.fd = -1; poll(&p, 1, 1))
FUNCTION(doze_1, 24, doze_2(me))

FUNCTION(work_2, 64, const auto end = now() + 200000; while (now() < end))
FUNCTION(work_1, 700, work_2(me))

FUNCTION(spin_2, 32, COUNT_TO(300000))
FUNCTION(spin_1, 300, spin_2(me))

FUNCTION(turn_4, 100, COUNT_TO(100))
FUNCTION(turn_3, 16, COUNT_TO(100) turn_4(me))
FUNCTION(turn_2, 500, COUNT_TO(100) turn_3(me))
FUNCTION(turn_1, 48, COUNT_TO(100) turn_2(me))

FUNCTION(ask_2, 16, for (int i = 0; i < 1000; i++) getppid())
FUNCTION(ask_1, 256, ask_2(me))

FUNCTION(put_3, 24, for (int i = 0; i < 300; i++)
	if (write(dev_null, "", 1) != 1) abort())
FUNCTION(put_2, 160, put_3(me))
FUNCTION(put_1, 16, put_2(me))

FUNCTION(give_3, 32, if (write(pipes[me & 1][1], "", 1) != 1) abort())
FUNCTION(give_2, 900, give_3(me))
FUNCTION(give_1, 16, give_2(me))

FUNCTION(take_1, 120, char c; if (read(pipes[~me & 1][0], &c, 1) != 1) abort())

namespace {

template <int me> void
go_on()
{
	switch (busy::lives[me]) {
	case busy::life::wakes:
		nap_1(me);
		doze_1(me);
		work_1(me);
		break;
	case busy::life::spins:
		spin_1(me);
		for (int i = 0; i < 300; i++)
			turn_1(me);
		break;
	case busy::life::calls:
		ask_1(me);
		put_1(me);
		break;
	case busy::life::flips:
		give_1(me);
		take_1(me);
		break;
	}
}

} // namespace

#define	ROOT(me)							\
extern "C" AS_IT_STANDS void						\
root_##me()								\
{									\
	for (;;) {							\
		all->of[me].rounds.fetch_add(1);			\
		go_on<me>();						\
	}								\
}
ROOT(0)
ROOT(1)
ROOT(2)
ROOT(3)
ROOT(4)
ROOT(5)
ROOT(6)

using root = void ();
root *const roots[] = {root_0, root_1, root_2, root_3, root_4, root_5, root_6};
static_assert(sizeof roots / sizeof roots[0] == busy::threads);

extern "C" AS_IT_STANDS void *
begin(void *argument)
{
	const auto me = reinterpret_cast<std::intptr_t>(argument);
	thread &t = all->of[me];
	void *frames[9];
	const int depth = backtrace(frames, 9);
	for (int i = 1; i < depth; i++)
		t.outer[i - 1] = reinterpret_cast<std::uintptr_t>(frames[i]);
	t.outer_count = depth - 1;
	t.tid = gettid();
	roots[me]();
	return nullptr;
}

int
main(int argc, char **argv)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	void *const shared = mmap(nullptr, sizeof *all, PROT_READ | PROT_WRITE,
	    MAP_SHARED, argc == 2 ? std::atoi(argv[1]) : -1, 0);
	dev_null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (shared == MAP_FAILED || dev_null < 0 || pipe(pipes[0]) != 0 ||
	    pipe(pipes[1]) != 0)
		return 1;
	all = static_cast<busy::page *>(shared);
	for (std::intptr_t i = 0; i < busy::threads; i++) {
		pthread_t t;
		if (pthread_create(&t, nullptr, begin,
		    reinterpret_cast<void *>(i)) != 0)
			return 1;
	}
	for (;;)
		pause();
}
