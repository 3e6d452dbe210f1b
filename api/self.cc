// Captures the calling thread's own stack, and names addresses, without heap
// and locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/capture.h"
#include "core/route.h"
#include "core/seam/names.h"

#include "options.h"

namespace stack9 {
namespace {

// So many frames are captured on the stack of the caller, which may be a signal
// handler's, where some of them are to be skipped.
constexpr std::uint32_t most_on_stack = 512;

// Removes the first frames, which were captured too.
int
drop_first(stack_record &rec, std::uint32_t skip) noexcept
{
	if (rec.depth <= skip) {
		rec.depth = rec.dropped = 0;
		return ENOENT;
	}
	rec.depth -= skip;
	std::memmove(rec.pcs, rec.pcs + skip, rec.depth * sizeof *rec.pcs);
	return 0;
}

int
capture_in_place(stack_record &rec, std::uint32_t skip, const origin &first)
    noexcept
{
	const int error = save_self(rec, first);
	return error != 0 || skip == 0 ? error : drop_first(rec, skip);
}

int
capture_beside(stack_record &rec, std::uint32_t skip, const origin &first)
    noexcept
{
	std::uintptr_t pcs[most_on_stack];
	stack_record all = rec;
	all.pcs = pcs;
	all.max = rec.max + skip;
	int error = save_self(all, first);
	if (error == 0)
		error = drop_first(all, skip);
	std::copy_n(pcs, all.depth, rec.pcs);
	all.pcs = rec.pcs;
	all.max = rec.max;
	rec = all;
	return error;
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
	if (self == nullptr && skip == 0)
		if (const std::uint32_t n = save_own_pcs(first, pcs, max);
		    n != 0) [[likely]] {
			std::fill(pcs + n, pcs + max, 0);
			return 0;
		}
	stack_record rec{};
	rec.pcs = pcs;
	rec.max = max;
	const int error = skip != 0 && skip < most_on_stack &&
	    max <= most_on_stack - skip ? capture_beside(rec, skip, first) :
	    capture_in_place(rec, skip, first);
	if (error != 0)
		rec.depth = rec.dropped = 0;
	std::fill(pcs + rec.depth, pcs + max, 0);
	if (self == nullptr)
		return error;
	const bool known = write_result(stack9_self{0, rec.depth, rec.dropped,
	    rec.flags, rec.why, 0}, 24, self);
	return known ? error : EINVAL;
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
	const std::size_t length = std::strlen(sym.name);
	const std::size_t fits = std::min(length, size - 1);
	std::memcpy(name, sym.name, fits);
	name[fits] = '\0';
	if (offset != nullptr)
		*offset = sym.offset;
	return fits < length || length == name_max - 1 ? ENOSPC : 0;
}
