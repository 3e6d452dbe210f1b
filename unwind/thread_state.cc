// Gives states to threads out of one mapped pool.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_state.h"

#include <array>
#include <cerrno>

#include <pthread.h>
#include <unistd.h>

#include "os/address_space.h"
#include "os/thread_id.h"

#include "counts.h"

namespace stack9::unwind {

// The compiler does not take the model over from the declaration.
[[gnu::tls_model("initial-exec")]] thread_local constinit thread_pointer
    this_thread{nullptr, 0};

namespace {

// The owner of a state: the thread's descriptor (its thread pointer, a multiple
// of 64) and its tid in one word, so that neither is ever seen with another
// thread's.
using owner = std::uint64_t;

constinit std::array<std::atomic<owner>, thread_state::most> owners{};
constinit std::atomic<std::byte *> pool{nullptr};
// The pid of this process.  getpid() differs in a child that fork(3) did not
// make.
constinit std::atomic<pid_t> pid_at_load{0};

// Spare memos of so many states are mapped at once.
constexpr std::size_t group = 16;
constinit std::array<std::atomic<std::byte *>, thread_state::most / group>
    spare_pools{};

std::byte *
mapped(std::atomic<std::byte *> &place, std::size_t size) noexcept
{
	std::byte *have = place.load(std::memory_order_acquire);
	if (have != nullptr)
		return have;
	std::byte *const p = map_space(size);
	if (p == nullptr || place.compare_exchange_strong(have, p))
		return p;
	unmap_space(p, size);
	return have;
}

std::byte *
memory_for_spares(std::size_t n) noexcept
{
	std::byte *const all = mapped(spare_pools[n / group],
	    group * spare_memos::bytes());
	return all != nullptr ? all + n % group * spare_memos::bytes() :
	    nullptr;
}

owner
this_thread_as_owner() noexcept
{
	const auto descriptor = reinterpret_cast<std::uintptr_t>(
	    __builtin_thread_pointer());
	return owner{descriptor} >> 6 << tid_bits |
	    static_cast<owner>(thread_id());
}

bool
same_descriptor(owner a, owner b) noexcept
{
	return a >> tid_bits == b >> tid_bits;
}

bool
gone(owner o) noexcept
{
	return has_ended(static_cast<pid_t>(o & ((1 << tid_bits) - 1)));
}

// Takes the slot if its owner is gone.  An owner with the same descriptor is
// gone, or is this thread, interrupted by a handler at this very point.
bool
take(std::size_t n, owner self) noexcept
{
	owner was = owners[n].load(std::memory_order_relaxed);
	return (was == 0 || same_descriptor(was, self) || gone(was)) &&
	    owners[n].compare_exchange_strong(was, self);
}

// Begins at the slot of threads with the same descriptor, so on the same stack:
// such a thread is surely gone, and the slot's pages are there already.
int
take_slot(owner self) noexcept
{
	constexpr unsigned int tries = 8;
	constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;
	static_assert(thread_state::most == 1 << 10);
	for (unsigned int i = 0; i < tries; i++) {
		const std::size_t n = (((self >> tid_bits) * spread >> 54) +
		    i) % thread_state::most;
		if (take(n, self))
			return static_cast<int>(n);
	}
	return -1;
}

thread_state *
state_at(std::byte *states, std::size_t n) noexcept
{
	return reinterpret_cast<thread_state *>(states +
	    n * thread_state::size);
}

// Only this thread exists in the child, and it has another tid.
void
in_child() noexcept
{
	std::byte *const states = pool.load();
	for (std::size_t i = 0; i < owners.size(); i++)
		if (owners[i] != 0)
			owners[i] = this_thread.state == state_at(states, i) ?
			    this_thread_as_owner() : 0;
	pid_at_load = getpid();
}

__attribute__((constructor)) void
at_load() noexcept
{
	pid_at_load = getpid();
	pthread_atfork(nullptr, nullptr, in_child);
}

} // namespace

void
thread_state::restart(std::byte *memory_for_spares) noexcept
{
	busy = nullptr;
	known = {};
	spares.restart(memory_for_spares);
	last.restart(last.size, {});
}

// A child of vfork(2) or of a bare clone(2) gets no state: the thread whose
// memory it uses would be left with a state that belongs to no thread.
thread_state *
thread_state::acquire() noexcept
{
	constexpr unsigned int pause = 4096;
	if (this_thread.pause != 0) {
		this_thread.pause--;
		return nullptr;
	}
	if (getpid() != pid_at_load)
		return nullptr;
	const int saved = errno;
	std::byte *const states = mapped(pool, thread_state::pool_size());
	const int n = states != nullptr ? take_slot(this_thread_as_owner()) :
	    -1;
	std::byte *const spares = n >= 0 ?
	    memory_for_spares(static_cast<std::size_t>(n)) : nullptr;
	errno = saved;
	if (n < 0) {
		this_thread.pause = pause;
		return nullptr;
	}
	thread_state *const state =
	    state_at(states, static_cast<std::size_t>(n));
	// A handler may have come in between and taken this state or another.
	if (this_thread.state != nullptr) {
		if (this_thread.state != state)
			owners[static_cast<std::size_t>(n)] = 0;
		return this_thread.state;
	}
	state->restart(spares);
	count(counter::threads);
	this_thread.state = state;
	return state;
}

} // namespace stack9::unwind
