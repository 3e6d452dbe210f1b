// Defines the parts about frames of every make: how they begin, how they end,
// how they are left.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_work.h"

#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <ucontext.h>

#include <immintrin.h>


#include "steps.h"

namespace steps {

namespace {

[[gnu::noinline]] void
fill(volatile char *to, int size)
{
	for (int i = 0; i < size; i += 16)
		to[i] = static_cast<char>(i);
}

[[gnu::noinline]] void
variable_size(int size)
{
	auto *room = static_cast<char *>(alloca(size));
	fill(room, size);
	use(*room);
}

[[gnu::noinline]] void
realigned()
{
	alignas(64) char room[192];
	fill(room, sizeof room);
}

// Arguments on the stack have to be found through another register.
[[gnu::noinline]] long
realigned_with_arguments(long a, long b, long c, long d, long e, long f,
    long g, long h)
{
	alignas(128) char room[128];
	fill(room, static_cast<int>(a + b));
	auto *more = static_cast<char *>(alloca(c + d));
	fill(more, static_cast<int>(c + d));
	use(*more);
	return e + f + g + h;
}

[[gnu::noinline, gnu::force_align_arg_pointer]] void
any_alignment()
{
	alignas(16) char room[64];
	fill(room, sizeof room);
}

__attribute__((noinline, target("avx2"))) void
vectors(int n)
{
	__m256i sum = _mm256_set1_epi32(n);
	for (int i = 0; i < n; i++) {
		__m256i spilled = sum;
		use(spilled);
		sum = _mm256_add_epi32(sum, spilled);
	}
	use(sum);
}

void
room_and_alignment()
{
	for (int size : {1, 100, 5000})
		variable_size(size);
	realigned();
	use(realigned_with_arguments(16, 32, 48, 64, 5, 6, 7, 8));
	any_alignment();
	if (__builtin_cpu_supports("avx2"))
		vectors(4);
}

using hop = long (*)(long, int);
[[gnu::noinline]] long third(long x, int n);

[[gnu::noinline]] long
second(long x, int n)
{
	char room[64];
	fill(room, sizeof room);
	use(room);
	return n == 0 ? x : third(x * 2, n - 1);
}

[[gnu::noinline]] long
third(long x, int n)
{
	volatile hop next = second;
	return n == 0 ? x : next(x + 1, n - 1);
}

void
tail_calls()
{
	use(third(1, 40));
}

[[gnu::noinline]] long
deep(int n)
{
	char room[24];
	use(room);
	return n == 0 ? 0 : deep(n - 1) + n;
}

void
recursion()
{
	use(deep(100));
}

struct undone {
	~undone() { use(*this); }
	char	room[40];
};

[[noreturn, gnu::noinline]] void
leave(int n)
{
	throw n;
}

// The call is the last of the function: its return address is the next one's.
[[noreturn, gnu::noinline]] void
leave_at_the_end(int n)
{
	undone u;
	use(u);
	leave(n);
}

[[gnu::noinline]] void
through(int n, int depth)
{
	undone u;
	use(u);
	if (depth > 0)
		through(n, depth - 1);
	else if (depth == 0)
		leave_at_the_end(n);
	use(depth);
}

[[gnu::noinline]] void
rethrow(int n)
{
	try {
		through(n, 3);
	} catch (const int &) {
		throw;
	}
}

void
exceptions()
{
	try {
		rethrow(7);
	} catch (int e) {
		use(e);
	}
}

jmp_buf target;
int jumps;

[[noreturn, gnu::noinline]] void
jump_at_the_end()
{
	longjmp(target, ++jumps);
}

[[gnu::noinline]] void
jump_from(int depth)
{
	char room[40];
	use(room);
	if (depth > 0)
		jump_from(depth - 1);
	else if (depth == 0)
		jump_at_the_end();
	use(depth);
}

void
long_jumps()
{
	jumps = 0;
	if (const int n = setjmp(target); n < 3)
		jump_from(n + 1);
}

void
on_signal(int, siginfo_t *, void *uc)
{
	step_through_handler(*static_cast<ucontext_t *>(uc));
	use(deep(5));
}

void
raise_with(int flags)
{
	struct sigaction s{}, old;
	s.sa_sigaction = on_signal;
	s.sa_flags = SA_SIGINFO | flags;
	sigaction(SIGUSR1, &s, &old);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &old, nullptr);
}

void
signals()
{
	raise_with(0);
	raise_with(SA_ONSTACK);	// where the stepper's own frames are
}

constexpr part parts[]{
	{.name = "room and alignment", .work = room_and_alignment},
	{.name = "tail calls", .work = tail_calls},
	{.name = "recursion", .work = recursion},
	{.name = "exceptions", .work = exceptions, .throws = 8},
	{.name = "longjmp", .work = long_jumps, .longjmps = 3},
	{.name = "signal handlers", .work = signals},
};

} // namespace

std::span<const part>
parts_of_frames() noexcept
{
	return parts;
}

} // namespace steps
