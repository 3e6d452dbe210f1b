// Starts threads of this process as kthread(9) starts those of the kernel.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/kthread.h>
#include <stack9/sys/proc.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include <pthread.h>

namespace stack9 {
namespace {

// It lies on the stack of the thread that waits for the new one.
struct start {
	void		(*func)(void *);
	void		*arg;
	char		 name[16];
	struct thread	*td = nullptr;
	std::atomic<bool> begun{false};
};

void *
run(void *arg)
{
	auto &s = *static_cast<start *>(arg);
	const auto func = s.func;
	void *const argument = s.arg;
	pthread_setname_np(pthread_self(), s.name);
	s.td = curthread;	// read after the name was set
	s.begun = true;
	s.begun.notify_one();	// s may be gone from here on
	func(argument);
	return nullptr;
}

} // namespace
} // namespace stack9

extern "C" {

int
stack9_kthread_add(void (*func)(void *), void *arg, struct proc *,
    struct thread **newtdp, int, int, const char *fmt, ...)
{
	stack9::start s;
	s.func = func;
	s.arg = arg;
	va_list ap;
	va_start(ap, fmt);
	std::vsnprintf(s.name, sizeof s.name, fmt, ap);
	va_end(ap);
	pthread_t id;
	if (pthread_create(&id, nullptr, stack9::run, &s) != 0)
		return EAGAIN;
	pthread_detach(id);
	s.begun.wait(false);
	if (newtdp != nullptr)
		*newtdp = s.td;
	return 0;
}

void
stack9_kthread_exit(void)
{
	pthread_exit(nullptr);
}

} // extern "C"
