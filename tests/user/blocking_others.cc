// Makes calls that wait for time, a word of memory, a message, signal, process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string>

#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "blocked.h"

namespace {

constexpr timespec years{1000000, 0};

sigset_t
one_signal()
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return set;
}

[[noreturn]] void
be_idle()
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);	// of the thread that made us
	for (;;)
		pause();
}

pid_t
idle_child()
{
	const pid_t pid = fork();
	if (pid == 0)
		be_idle();
	return pid;
}

void
sleep_until()
{
	timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += years.tv_sec;
	sit_in([=] {
		return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end,
		    nullptr);
	});
}

void
wait_on_condition()
{
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
	pthread_mutex_lock(&m);
	sit_in([] { return pthread_cond_wait(&c, &m); });
}

void
wait_on_semaphore()
{
	static sem_t s;
	sem_init(&s, 0, 0);
	sit_in([] { return sem_wait(&s); });
}

void
wait_on_word(const timespec *time)
{
	static std::uint32_t word;
	sit_in([=] {
		return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, time,
		    nullptr, 0);
	});
}

template <class Down> void
on_semaphore_set(Down down)
{
	const int id = own_ipc() ? semget(IPC_PRIVATE, 1, 0600) : -1;
	if (id < 0)
		return cannot_sit();
	sit_in([=] {
		sembuf by_one{0, -1, 0};
		return down(id, by_one);
	});
}

void
wait_for_message()
{
	const int id = own_ipc() ? msgget(IPC_PRIVATE, 0600) : -1;
	if (id < 0)
		return cannot_sit();
	sit_in([=] {
		struct {
			long type;
			char byte;
		} m{};
		return msgrcv(id, &m, 1, 0, 0);
	});
}

void
wait_for_posix_message()
{
	const std::string name = "/stack9-" + std::to_string(getpid());
	mq_attr small{};
	small.mq_maxmsg = small.mq_msgsize = 1;
	const mqd_t q = mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600,
	    &small);
	if (q < 0)
		return cannot_sit();
	mq_unlink(name.c_str());
	sit_in([=] {
		char byte;
		return mq_receive(q, &byte, 1, nullptr);
	});
}

void
suspend()
{
	sit_in([] {
		const sigset_t none{};
		return sigsuspend(&none);
	});
}

// Its child has the thread's memory and so its stack, but never returns.
void
lend_memory()
{
	sit_in([] {
		const pid_t pid = vfork();
		if (pid == 0)
			be_idle();
		return pid;
	});
}

} // namespace

std::vector<blocking_call>
calls_of_others()
{
	return {
	{"nanosleep", "nanosleep", "clock_nanosleep", [] {
		sit_in([] { return nanosleep(&years, nullptr); });
	}},
	{"clock_nanosleep", "clock_nanosleep", "clock_nanosleep", sleep_until},
	{"pthread_cond_wait", "futex", nullptr, wait_on_condition},
	{"sem_wait", "futex", nullptr, wait_on_semaphore},
	{"futex", "futex", "syscall", [] { wait_on_word(nullptr); }},
	{"futex with a time", "futex", "syscall", [] { wait_on_word(&years); }},
	{"semop", "semop", nullptr, [] {
		on_semaphore_set([](int id, sembuf &down) {
			return semop(id, &down, 1);
		});
	}},
	{"semtimedop", "semtimedop", "semtimedop", [] {
		on_semaphore_set([](int id, sembuf &down) {
			return semtimedop(id, &down, 1, &years);
		});
	}},
	{"msgrcv", "msgrcv", "msgrcv", wait_for_message},
	{"mq_receive", "mq_receive", nullptr, wait_for_posix_message},
	{"sigtimedwait", "sigtimedwait", "sigtimedwait", [] {
		static const sigset_t set = one_signal();
		sit_in([] { return sigtimedwait(&set, nullptr, &years); });
	}},
	{"sigwaitinfo", "sigwaitinfo", nullptr, [] {
		static const sigset_t set = one_signal();
		sit_in([] { return sigwaitinfo(&set, nullptr); });
	}},
	{"pause", "pause", "pause", [] { sit_in([] { return pause(); }); }},
	{"sigsuspend", "sigsuspend", "sigsuspend", suspend},
	{"wait4", "wait4", "wait4", [] {
		const pid_t child = idle_child();
		sit_in([=] { return wait4(child, nullptr, 0, nullptr); });
	}},
	{"waitid", "waitid", "waitid", [] {
		const auto child = static_cast<id_t>(idle_child());
		sit_in([=] {
			siginfo_t info;
			return waitid(P_PID, child, &info, WEXITED);
		});
	}},
	{"vfork", "vfork", "vfork", lend_memory},
	};
}
