// Finds how far a stack can be read, by asking the kernel page by page.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stacks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "os/own_memory.h"
#include "os/program_start.h"
#include "os/thread_id.h"

#include "begin.h"
#include "counts.h"
#include "generation.h"
#include "module.h"

namespace stack9::unwind {
namespace {

constexpr std::uintptr_t page = 4096;	// the smallest there is
// A range grows by no more than this at once.  Below the end of the main
// thread's stack there is nothing for at least twice as much (mmap_base() in
// arch/x86/mm/mmap.c, and its like).
constexpr std::uintptr_t stack_max = 64 << 20;

constexpr std::uintptr_t
page_of(std::uintptr_t at) noexcept
{
	return at & ~(page - 1);
}

} // namespace

bool
probe(std::uintptr_t at) noexcept
{
	if (at < page)
		return false;
	count(counter::probes);
	return is_readable(at);
}

bool
ends_above(std::uintptr_t cfa) noexcept
{
	return !probe(cfa + end_room);
}

[[gnu::noinline]] bool
grow(range &r, std::uintptr_t end) noexcept
{
	if (r.closed || end - r.high > stack_max)
		return false;
	while (r.high < end) {
		if (!probe(r.high))
			return false;
		r.high += page;
	}
	return true;
}

namespace {

// The descriptor of the first thread lies on no stack; 0: not known.
constinit std::uintptr_t first_descriptor = 0;

__attribute__((constructor)) void
note_first_thread() noexcept
{
	if (is_first_thread())
		first_descriptor = reinterpret_cast<std::uintptr_t>(
		    __builtin_thread_pointer());
}

} // namespace

// The main thread's stack ends where the program began.  The stack of any other
// thread has the C library's descriptor of the thread at its end, and a guard
// page below it.  So the pages from sp to the end that can be read without a
// gap are one stack.
bool
stacks::find_home(std::uintptr_t sp, whose w) noexcept
{
	const std::uintptr_t low = page_of(sp - 1);
	const std::uintptr_t first = first_stack_address();
	const auto self = reinterpret_cast<std::uintptr_t>(
	    __builtin_thread_pointer());
	const bool main = home_.low != 0 ? home_.holds(first) :
	    first - sp < stack_max;
	const std::uintptr_t end = home_.low != 0 ? home_.low :
	    page_of(main ? first : self) + page;
	if (low > end || end - low > stack_max)
		return false;
	range r{low, low + page};
	const bool none = home_.low == 0 && !main && self == first_descriptor;
	if (none || (!(main && w == whose::ours) && !grow(r, end))) {
		foreign_ = r;
		return false;
	}
	// Junk in a frame may lead further, to memory that is not the stack's
	// and may be gone the next time.
	home_ = {low, std::max(end, home_.high), true};
	return true;
}

range &
stacks::discover(std::uintptr_t sp, whose w) noexcept
{
	if (!foreign_.holds(sp) && find_home(sp, w))
		return home_;
	const std::uintptr_t low = page_of(sp - 1);
	elsewhere_ = {low, low + page};
	return elsewhere_;
}

range &
stacks::cross(std::uintptr_t sp) noexcept
{
	if (home_.holds(sp))
		return home_;
	if (is_switched_to(sp))
		return switched_;
	if (probe(page_of(sp - 1)) && probe(page_of(sp)))
		return discover(sp, whose::a_signal_frames);
	elsewhere_ = {page_of(sp), page_of(sp)};	// an empty range
	return elsewhere_;
}

namespace {

// Pages of modules that were found readable, each with the generation of code
// in which it was.  A page stays readable as long as nothing is unloaded.
constinit std::array<std::atomic<std::uint64_t>, 64> code_pages{};

bool
can_read(std::uintptr_t p) noexcept
{
	const std::uint64_t entry = p >> 12 |
	    std::uint64_t{code_generation.now()} << 48;
	std::atomic<std::uint64_t> &known =
	    code_pages[(p >> 12) % code_pages.size()];
	if (known.load(std::memory_order_relaxed) == entry)
		return true;
	if (!probe(p))
		return false;
	if (in_module(p))
		known.store(entry, std::memory_order_relaxed);
	return true;
}

} // namespace

bool
own_memory::read(std::uintptr_t from, void *to, std::size_t size) noexcept
{
	const std::uintptr_t last = from + size - 1;
	if (size == 0 || last < from)
		return size == 0;
	for (std::uintptr_t p = page_of(from); p <= last; p += page) {
		if (p != page_ && !can_read(p))
			return false;
		page_ = p;
	}
	std::memcpy(to, reinterpret_cast<const void *>(from), size);
	return true;
}

} // namespace stack9::unwind
