// Captures the calling thread's own stack, and names addresses, without heap
// and locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>

#include <stack9_coroutines.h>

#include "core/capture.h"
#include "core/route.h"
#include "core/seam/names.h"

#include "options.h"

namespace stack9 {
namespace {

// If frames are to be skipped, at most so many are captured on the caller's
// stack.  That may be a signal handler's.
constexpr std::uint32_t most_on_stack = 512;

struct result {
	int		error;
	std::uint32_t	depth, dropped, flags;
	stack9_why	why;
};

[[gnu::noinline]] result
capture_and_explain(std::uintptr_t *pcs, std::uint32_t max,
    const origin &first) noexcept
{
	stack_record rec{};
	rec.pcs = pcs;
	rec.max = max;
	const int error = save_self(rec, first);
	return {error, rec.depth, rec.dropped, rec.flags, rec.why};
}

// explained: the caller has to know why a stack is not whole.
inline bool
is_enough(const quick_stack &quick, bool explained) noexcept
{
	return quick.whole != 0 || (quick.depth != 0 && !explained);
}

result
take_own(std::uintptr_t *pcs, std::uint32_t max, bool explained,
    const origin &first) noexcept
{
	const quick_stack quick = save_own_pcs(first, pcs, max);
	return is_enough(quick, explained) ?
	    result{0, quick.depth, 0, 0, STACK9_WHY_NONE} :
	    capture_and_explain(pcs, max, first);
}

// Gives the captured frames without the first ones.
result
without_first(result r, const std::uintptr_t *from, std::uint32_t skip,
    std::uintptr_t *to) noexcept
{
	if (r.depth <= skip)
		return {r.error != 0 ? r.error : ENOENT, 0, 0, r.flags, r.why};
	r.depth -= skip;
	std::memmove(to, from + skip, r.depth * sizeof *to);
	return r;
}

[[gnu::noinline]] result
capture_beside(std::uintptr_t *to, std::uint32_t max, std::uint32_t skip,
    bool explained, const origin &first) noexcept
{
	std::uintptr_t pcs[most_on_stack];
	return without_first(take_own(pcs, max + skip, explained, first), pcs,
	    skip, to);
}

[[gnu::noinline]] result
capture_behind(std::uintptr_t *pcs, std::uint32_t max, std::uint32_t skip,
    bool explained, const origin &first) noexcept
{
	return skip < most_on_stack && max <= most_on_stack - skip ?
	    capture_beside(pcs, max, skip, explained, first) :
	    without_first(take_own(pcs, max, explained, first), pcs, skip,
	    pcs);
}

[[gnu::noinline]] int
write_explained(result r, std::uintptr_t *pcs, std::uint32_t max,
    stack9_self *self) noexcept
{
	if (self == nullptr || r.depth == 0)
		std::fill(pcs + r.depth, pcs + max, 0);
	return self == nullptr || write_result(stack9_self{0, r.depth,
	    r.dropped, r.flags, r.why, 0}, 24, self) ? r.error : EINVAL;
}

// Writes a stack of which nothing is to be said.  Members are written one by
// one: to copy them together, the processor would wait until all are stored.
inline int
write_quick(std::uint32_t depth, std::uintptr_t *pcs, std::uint32_t max,
    stack9_self *self) noexcept
{
	if (self == nullptr) {
		if (depth != max)
			std::fill(pcs + depth, pcs + max, 0);
		return 0;
	}
	if (self->size != sizeof *self) [[unlikely]]
		return write_explained({0, depth, 0, 0, STACK9_WHY_NONE}, pcs,
		    max, self);
	self->depth = depth;
	self->dropped = self->flags = 0;
	self->why = STACK9_WHY_NONE;
	self->reserved = 0;
	return 0;
}

// The way that is not the quick one.
[[gnu::noinline]] int
save_and_explain(std::uintptr_t *pcs, std::uint32_t max, std::uint32_t skip,
    stack9_self *self, const origin &first) noexcept
{
	return write_explained(skip == 0 ?
	    capture_and_explain(pcs, max, first) :
	    capture_behind(pcs, max, skip, self != nullptr, first), pcs, max,
	    self);
}

} // namespace
} // namespace stack9

extern "C" int
stack9_save_self(uint64_t *pcs, uint32_t max, uint32_t skip,
    struct stack9_self *self)
{
	using namespace stack9;
	if (pcs == nullptr || max == 0)
		return EINVAL;
	const origin first = STACK9_ORIGIN();
	if (skip == 0) [[likely]] {
		const quick_stack quick = save_own_pcs(first, pcs, max);
		if (is_enough(quick, self != nullptr)) [[likely]]
			return write_quick(quick.depth, pcs, max, self);
	}
	return save_and_explain(pcs, max, skip, self, first);
}

// A size that leads beyond the end of memory is one of which nothing is known.
extern "C" void
stack9_switch_stack(const void *low, size_t size)
{
	const auto from = reinterpret_cast<std::uintptr_t>(low);
	const std::uintptr_t to = from + size;
	stack9::switch_own_stack(from, to < from ? from : to);
}

extern "C" int
stack9_name_self(uint64_t pc, unsigned int flags, char *name, size_t size,
    uint64_t *offset)
{
	using namespace stack9;
	if (name == nullptr || size == 0 ||
	    (flags & ~STACK9_FRAMES_RETURN) != 0)
		return EINVAL;
	name[0] = '\0';
	symbol_name sym;
	const bool return_address = (flags & STACK9_FRAMES_RETURN) != 0;
	const int error = find_name(pc, name_nowait |
	    (return_address ? name_return_address : 0), sym);
	if (error != 0)
		return error;
	const std::string_view found = sym.name;
	const bool whole = write_text(found, name, size) &&
	    found.size() < name_max - 1;
	if (offset != nullptr)
		*offset = sym.offset;
	return whole ? 0 : ENOSPC;
}
