// Starts a crashing program's threads: some sleep, some run, one crashes, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "crowd.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <stack9_crash.h>

#include "faults.h"
#include "victim.h"

namespace {

std::atomic<int> ready{0};
std::atomic<pid_t> sleeper{0};
int never[2];

extern "C" [[gnu::noinline]] void *
sleep_in_read(void *)
{
	char c;
	sleeper = gettid();
	ready++;
	const ssize_t n = read(never[0], &c, 1);
	return reinterpret_cast<void *>(n);
}

extern "C" [[gnu::noinline]] void *
spin(void *)
{
	ready++;
	for (volatile bool go = true; go;)
		;
	return nullptr;
}

void
block_all()
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

extern "C" [[gnu::noinline]] void *
spin_blocked(void *arg)
{
	block_all();
	spin(arg);
	return nullptr;
}

extern "C" [[gnu::noinline]] void *
sleep_blocked(void *arg)
{
	block_all();
	sleep_in_read(arg);
	return nullptr;
}

extern "C" [[gnu::noinline]] void *
crash_too(void *)
{
	ready++;
	while (ready < 100)
		;
	return reinterpret_cast<void *>(std::intptr_t{read_through(nullptr)});
}

extern "C" [[gnu::noinline]] void *
overflow(void *)
{
	stack9_crash_thread();
	return reinterpret_cast<void *>(std::intptr_t{recurse(0)});
}

void
start(void *(*f)(void *), const char *name)
{
	pthread_t t;
	const int before = ready;
	if (pthread_create(&t, nullptr, f, nullptr) != 0)
		_exit(9);
	pthread_setname_np(t, name);
	while (f != overflow && ready == before)
		;
	if (f == sleep_in_read || f == sleep_blocked)
		wait_for_state(sleeper, 'S');
}

} // namespace

bool
begin_crowd()
{
	return pipe(never) == 0;
}

void
start_threads()
{
	start(sleep_in_read, "sleeper");
	start(spin, "runner");
	start(sleep_blocked, "deaf sleeper");
	start(spin_blocked, "deaf runner");
}

void
start_second_crash()
{
	start(crash_too, "second");
	ready = 100;
}

void
start_overflow()
{
	start(overflow, "deep");
}

void
forbid(std::initializer_list<int> calls)
{
	std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(seccomp_data, nr))};
	for (const int nr : calls) {
		code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<unsigned int>(nr), 0, 1));
		code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO |
		    EPERM));
	}
	code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	const sock_fprog program{static_cast<unsigned short>(code.size()),
	    code.data()};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		_exit(9);
}
