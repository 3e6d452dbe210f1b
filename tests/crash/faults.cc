// Makes faults of a program: of its stack, its heap, its names, and those that
// it recovers from.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "faults.h"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

void
say(const char *what)
{
	if (write(STDERR_FILENO, what, std::strlen(what)) < 0)
		_exit(9);
}

extern "C" [[gnu::noinline]] int
read_through(const volatile int *p)
{
	return *p + 1;
}

// Registers that the compiler needs are left as they are.
void
crash_with_registers()
{
#ifdef __x86_64__
	asm volatile("mov $0x5100, %%rax; mov $0x5101, %%rcx;"
	    "mov $0x5102, %%rdx; mov $0x5106, %%rsi; mov $0x5107, %%rdi;"
	    "mov $0x5108, %%r8; mov $0x5109, %%r9; mov $0x510a, %%r10;"
	    "mov $0x510b, %%r11; mov $0x510c, %%r12; mov $0x510d, %%r13;"
	    "mov $0x510e, %%r14; mov $0x510f, %%r15; movl $0, 0x10"
	    : : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
	    "r12", "r13", "r14", "r15", "memory");
#endif
}

extern "C" [[gnu::noinline]] int
recurse(int n)
{
	volatile char space[512];
	space[0] = static_cast<char>(n);
	return recurse(n + 1) + space[0];
}

extern "C" [[gnu::noinline]] void
broken_heap()
{
	auto *const p = static_cast<volatile char *>(std::malloc(24));
	auto *const q = static_cast<volatile char *>(std::malloc(24));
	for (int i = 24; i < 48; i++)
		p[i] = 0x5a;
	std::free(const_cast<char *>(q));
	std::free(const_cast<char *>(p));
	void *volatile r = std::malloc(2000);
	std::free(r);
	say("the heap survived\n");
}

namespace {

sigjmp_buf recovered;

void
previous(int signo, siginfo_t *info, void *)
{
	stack_t now;
	sigset_t mask;
	sigaltstack(nullptr, &now);
	sigprocmask(SIG_SETMASK, nullptr, &mask);
	std::string text = "previous handler: " + std::to_string(signo) +
	    " address " + std::to_string(reinterpret_cast<std::uintptr_t>(
	    info->si_addr)) + ((now.ss_flags & SS_ONSTACK) != 0 ?
	    " alternate" : " own") + (sigismember(&mask, SIGUSR2) == 1 ?
	    " masked" : " unmasked") + "\n";
	say(text.c_str());
	siglongjmp(recovered, 1);
}

} // namespace

void
install_previous(int flags)
{
	struct sigaction sa{};
	sa.sa_sigaction = previous;
	sa.sa_flags = SA_SIGINFO | flags;
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGUSR2);
	sigaction(SIGSEGV, &sa, nullptr);
}

void
crash_and_recover()
{
	if (sigsetjmp(recovered, 1) == 0)
		read_through(reinterpret_cast<int *>(0x10));
	say("recovered\n");
}

void
break_names(const std::string &module)
{
	void *const handle = dlopen(module.c_str(), RTLD_NOW);
	auto *const map = static_cast<link_map *>(handle);
	auto *const call = reinterpret_cast<void (*)(void (*)())>(
	    dlsym(handle, "call_back"));
	map->l_name = reinterpret_cast<char *>(8);
	call([] { read_through(nullptr); });
}
