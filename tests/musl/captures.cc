// Compares captures with what the C++ library's own unwinder sees: deep stacks,
// threads, signals, and a module that is loaded after the library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <unwind.h>

#include <stack9.h>
#include <stack9/sys/stack.h>

namespace {

int failed;

void
must(bool is, const char *sentence)
{
	std::printf("%s %s\n", is ? "ok" : "not ok", sentence);
	failed |= is ? 0 : 1;
}

struct frames {
	std::uint64_t	pcs[1024];
	std::uint32_t	depth = 0;
};
frames ours, theirs;

_Unwind_Reason_Code
add(_Unwind_Context *context, void *)
{
	if (theirs.depth == 1024)
		return _URC_END_OF_STACK;
	theirs.pcs[theirs.depth++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

// Debian's musl has no unwind information: where it is loaded as a library, a
// stack ends in it.
bool described = true;

// Debian's glibc for riscv64 has none for the functions that start a thread.
#ifdef __riscv
constexpr bool threads_described = false;
#else
constexpr bool threads_described = true;
#endif
pthread_t first_thread;

[[gnu::always_inline]] inline bool
capture(frames &to)
{
	stack9_self self{};
	self.size = sizeof self;
	const bool is = stack9_save_self(to.pcs, 1024, 0, &self) == 0;
	to.depth = self.depth;
	return is && (self.why == STACK9_WHY_NONE || !described ||
	    (!threads_described && !pthread_equal(pthread_self(),
	    first_thread)));
}

// The innermost pcs differ, as each begins at a call of its own.  Theirs may
// end early: at the C library's own code, and at a signal, because musl
// describes these to nobody.
bool
agree()
{
	theirs.depth = 0;
	if (!capture(ours))
		return false;
	_Unwind_Backtrace(add, nullptr);
	while (theirs.depth > 0 && theirs.pcs[theirs.depth - 1] == 0)
		theirs.depth--;		// libgcc's frame after the last one
	std::uint32_t same = 1;
	while (same < ours.depth && same < theirs.depth &&
	    ours.pcs[same] == theirs.pcs[same])
		same++;
	if (same != theirs.depth)
		std::printf("# %u of ours %u, of theirs %u\n", same,
		    ours.depth, theirs.depth);
	return theirs.depth > 1 && same == theirs.depth;
}

[[gnu::noinline]] bool
deep(int n)
{
	const bool is = n == 0 ? agree() : deep(n - 1);
	asm volatile("" ::: "memory");
	return is;
}

frames outside;
volatile bool in_handler;

void
on_signal(int)
{
	in_handler = agree() && ours.depth > outside.depth + 2 &&
	    std::memcmp(ours.pcs + ours.depth - outside.depth + 1,
	    outside.pcs + 1, (outside.depth - 1) * sizeof ours.pcs[0]) == 0;
}

[[gnu::noinline]] bool
interrupted(int flags)
{
	struct sigaction now{};
	now.sa_handler = on_signal;
	now.sa_flags = flags;
	sigaction(SIGUSR1, &now, nullptr);
	in_handler = false;
	const bool whole = capture(outside);
	raise(SIGUSR1);
	return whole && in_handler;
}

void *
in_thread(void *is)
{
	*static_cast<bool *>(is) = deep(40) &&
	    (!described || interrupted(0));
	return nullptr;
}

int
seen_from_plugin()
{
	return agree() ? 1 : 0;
}

void
late_module(const char *path)
{
	void *const module = dlopen(path, RTLD_NOW);
	if (module == nullptr) {
		std::printf("# %s\n", dlerror());
		must(false, "a module can be loaded");
		return;
	}
	const auto call = reinterpret_cast<int (*)(int (*)())>(
	    dlsym(module, "call_back"));
	// A call that may take locks has the new module listed.
	stack9_space *space = nullptr;
	stack9_thread td{};
	if (stack9_thread_self(&td) == 0 &&
	    stack9_space_open(&td, &space) == 0)
		stack9_space_close(space);
	must(call(seen_from_plugin) == 2,
	    "a module that was loaded late is walked through");
}

} // namespace

int
main(int argc, char **argv)
{
#ifndef __GLIBC__
	described = argc < 2;
#endif
	first_thread = pthread_self();
	must(deep(0) && deep(3), "a stack is what the C++ library says");
	must(deep(500), "a deep one, too");
	if (described)
		must(interrupted(0), "across a signal");
	static char stack[256 << 10];
	stack_t s{};
	s.ss_sp = stack;
	s.ss_size = sizeof stack;
	sigaltstack(&s, nullptr);
	if (described)
		must(interrupted(SA_ONSTACK), "from an alternate stack");
	bool is = false;
	pthread_t t;
	pthread_create(&t, nullptr, in_thread, &is);
	pthread_join(t, nullptr);
	must(is, "in another thread");
	if (argc > 1)
		late_module(argv[1]);
	return failed;
}
