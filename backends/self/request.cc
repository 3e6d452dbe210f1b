// Keeps the pool of requests and answers them in a signal handler.  The handler
// walks the stack that it interrupted in place and wakes the asker.  It copies
// nothing, takes no lock and needs little stack.  So it may interrupt anything,
// even the loader or a capture by the same thread.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "request.h"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::self {
namespace {

constexpr std::uint32_t phases = 8;
constexpr std::size_t frames = 32 << 10;	// 256 KiB

constinit request pool[8];

request::phase
phase_of(std::uint32_t word) noexcept
{
	return static_cast<request::phase>(word % phases);
}

constexpr std::uint32_t
with(std::uint32_t word, request::phase p) noexcept
{
	return word - word % phases + p;
}

// Changes phase a to b, unless another phase came in between.
bool
turn(request &r, std::uint32_t word, request::phase a, request::phase b)
    noexcept
{
	std::uint32_t expected = with(word, a);
	return r.word.compare_exchange_strong(expected, with(word, b));
}

// A forked child does not have the threads of the requests under way.
void
idle_all() noexcept
{
	for (request &r : pool)
		r.word = with(r.word, request::idle);
}

// A buffer is kept for good; its pages are used as they are needed.
bool
map_buffer(request &r) noexcept
{
	if (r.pcs != nullptr)
		return true;
	void *p = mmap(nullptr, frames * sizeof *r.pcs, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return false;
	r.pcs = static_cast<std::uintptr_t *>(p);
	return true;
}

request *
take_idle() noexcept
{
	for (request &r : pool) {
		std::uint32_t word = r.word;
		if (phase_of(word) == request::idle &&
		    r.word.compare_exchange_strong(word,
		    word + phases + request::taken))
			return &r;
	}
	return nullptr;
}

} // namespace

request *
take_request(pid_t tid, std::uint32_t max, int &error) noexcept
{
	static const int prepared = pthread_atfork(nullptr, nullptr, idle_all);
	error = prepared;
	request *r = error == 0 ? take_idle() : nullptr;
	if (r == nullptr)
		return nullptr;
	if (!map_buffer(*r)) {
		error = ENOMEM;
		release(*r);
		return nullptr;
	}
	r->tid = tid;
	r->max = std::min<std::uint32_t>(max, frames);
	r->word = with(r->word, request::asked);
	return r;
}

sigval
value_of(const request &r) noexcept
{
	sigval v{};
	v.sival_ptr = reinterpret_cast<void *>(
	    static_cast<std::uintptr_t>(r.word.load()) << 8 |
	    static_cast<std::uintptr_t>(&r - pool));
	return v;
}

bool
await(request &r, const timespec &deadline) noexcept
{
	for (;;) {
		const std::uint32_t word = r.word;
		if (phase_of(word) == request::done)
			return true;
		if (syscall(SYS_futex, &r.word, FUTEX_WAIT_BITSET_PRIVATE, word,
		    &deadline, nullptr, FUTEX_BITSET_MATCH_ANY) != 0 &&
		    errno == ETIMEDOUT)
			return phase_of(r.word) == request::done;
	}
}

bool
forsake(request &r) noexcept
{
	const std::uint32_t word = r.word;
	return turn(r, word, request::asked, request::idle) ||
	    turn(r, word, request::writing, request::forsaken);
}

void
release(request &r) noexcept
{
	r.word = with(r.word, request::idle);
}

void
answer_request(int, siginfo_t *info, void *context) noexcept
{
	const int saved = errno;
	const auto value =
	    reinterpret_cast<std::uintptr_t>(info->si_value.sival_ptr);
	const std::size_t index = value & 0xff;
	const auto word = static_cast<std::uint32_t>(value >> 8);
	if (info->si_code == SI_QUEUE && index < std::size(pool) &&
	    phase_of(word) == request::asked &&
	    turn(pool[index], word, request::asked, request::writing)) {
		request &r = pool[index];
		const auto &uc = *static_cast<const ucontext_t *>(context);
		r.answer = {};
		if (r.tid == static_cast<pid_t>(syscall(SYS_gettid)))
			r.answer = unwind::walk_interrupted(uc, r.pcs, r.max);
		if (turn(r, word, request::writing, request::done))
			syscall(SYS_futex, &r.word, FUTEX_WAKE_PRIVATE, INT_MAX,
			    nullptr, nullptr, 0);
		else
			release(r);
	}
	errno = saved;
}

} // namespace stack9::self
