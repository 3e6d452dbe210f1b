// Does the lookup in a signal handler, for symbols_probe.  It has its own
// malloc(), to forbid it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "core/seam/record.h"
#include "probe.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define	SANITIZED	1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define	SANITIZED	1
#endif
#endif

namespace {

std::atomic<int> allocations{0};
thread_local volatile bool crash_in_malloc;
int *volatile nowhere = reinterpret_cast<int *>(16);	// never mapped

void
entered_malloc()
{
	allocations++;
	if (crash_in_malloc) {
		crash_in_malloc = false;
		*nowhere = 1;
	}
}

} // namespace

#ifdef SANITIZED
constexpr std::size_t room = 64 << 10;
constexpr std::size_t budget = 16 << 10;
extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*)(const volatile void *, size_t), void (*)(const volatile void *));
const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void *, size_t) { entered_malloc(); },
    [](const volatile void *) {});
#else
constexpr std::size_t room = 8 << 10;
constexpr std::size_t budget = 2 << 10;
extern "C" {
void	*__libc_malloc(size_t);
void	*__libc_calloc(size_t, size_t);
void	*__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	entered_malloc();
	return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	entered_malloc();
	return __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	entered_malloc();
	return __libc_realloc(p, n);
}
}
#endif

std::string
no_malloc()
{
	static stack9::symbol_name s;
	const int before = allocations;
	const bool good = is_here(stack9::elf_find_nowait(here(), false, s), s);
	const auto libc = reinterpret_cast<std::uintptr_t>(qsort);
	const bool too = stack9::elf_find_nowait(libc + 1, true, s) == 0;
	const bool gone = stack9::elf_find_nowait(1, true, s) == ENOENT;
	const bool kernel = stack9::kallsyms_find_nowait(~0UL, 0, s) == EAGAIN;
	if (allocations != before)
		return "allocated";
	static void *volatile kept;	// or the compiler leaves it out
	kept = std::malloc(1);		// or they were never counted
	std::free(kept);
	return verdict(good && too && gone && kernel &&
	    allocations == before + 1);
}

namespace {

alignas(64) unsigned char signal_stack[room];
std::sig_atomic_t volatile look_up;
stack9::symbol_name found;
int found_error;
int allocations_in_handler;
sigjmp_buf out;

void
handler(int)
{
	const int before = allocations;
	if (look_up)
		found_error = stack9::elf_find_nowait(here(), false, found);
	allocations_in_handler = allocations - before;
	siglongjmp(out, 1);
}

void
handle_segv()
{
	stack_t st = {};
	st.ss_sp = signal_stack;
	st.ss_size = sizeof(signal_stack);
	struct sigaction sa = {};
	sa.sa_handler = handler;
	sa.sa_flags = SA_ONSTACK;
	if (sigaltstack(&st, nullptr) != 0 || sigaction(SIGSEGV, &sa, nullptr))
		abort();
}

std::size_t
stack_used(bool with_look_up)
{
	memset(signal_stack, 0xa5, sizeof(signal_stack));
	look_up = with_look_up;
	if (sigsetjmp(out, 1) == 0)
		raise(SIGSEGV);
	const auto *touched = std::find_if(signal_stack,
	    signal_stack + sizeof(signal_stack),
	    [](unsigned char c) { return c != 0xa5; });
	return signal_stack + sizeof(signal_stack) - touched;
}

} // namespace

std::string
segv_in_malloc()
{
	handle_segv();
	look_up = 1;
	found_error = -1;
	if (sigsetjmp(out, 1) == 0) {
		crash_in_malloc = true;
		void *volatile p = malloc(100);	// or clang leaves it out
		free(p);
		return "did not crash";
	}
	if (allocations_in_handler != 0)
		return "allocated";
	return verdict(is_here(found_error, found));
}

std::string
stack()
{
	handle_segv();
	const std::size_t without = stack_used(false);
	const std::size_t with = stack_used(true);
	if (!is_here(found_error, found))
		return "not found";
	if (with <= without || with - without > budget)
		return std::to_string(with - without) + " bytes";
	fprintf(stderr, "stack: %zu bytes\n", with - without);
	return "ok";
}
