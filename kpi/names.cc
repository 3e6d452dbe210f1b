// Names for addresses: the kernel's own formatting for a few, its symbol
// table for many; this process's files for the rest.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <atomic>

#include "route.h"
#include "symbols.h"
#include "uncancelled.h"

namespace stack9 {
namespace {

// A look-up by the kernel costs about 1 us, its table 40 to 60 ms once.
constexpr unsigned int many = 40000;

std::atomic<unsigned int> asked{0};

int
ask_kernel(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym) noexcept
{
	int error = EOPNOTSUPP;
	job_routes routes(job::name);
	while (route *r = routes.next()) {
		if ((flags & STACK9_NOWAIT) ? !r->ready() : r->can().error != 0)
			continue;
		error = r->find(pc, (flags & STACK9_RETURN_ADDRESS) != 0, sym);
		if (error == 0 || error == ENOENT)
			return error;
	}
	return error;
}

int
ask_table(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym) noexcept
{
	const bool ra = (flags & STACK9_RETURN_ADDRESS) != 0;
	return (flags & STACK9_NOWAIT) ? kallsyms_find_nowait(pc, ra, sym) :
	    kallsyms_find(pc, ra, sym);
}

int
find_kernel(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym) noexcept
{
	// Who may not wait has no table unless somebody else has read it.
	const bool kernel_first = !kallsyms_loaded() &&
	    ((flags & STACK9_NOWAIT) ||
	    asked.fetch_add(1, std::memory_order_relaxed) < many);
	const int first = (kernel_first ? ask_kernel : ask_table)(pc, flags,
	    sym);
	if (first == 0 || first == ENOENT)
		return first;
	const int second = (kernel_first ? ask_table : ask_kernel)(pc, flags,
	    sym);
	// The table's word counts: that it is hidden, or not read yet.
	return second == 0 || second == ENOENT || kernel_first ? second :
	    first;
}

} // namespace

int
find_name(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym) noexcept
{
	const uncancelled guard;
	if (is_kernel_address(pc))
		return find_kernel(pc, flags, sym);
	const bool ra = (flags & STACK9_RETURN_ADDRESS) != 0;
	return (flags & STACK9_NOWAIT) ? elf_find_nowait(pc, ra, sym) :
	    elf_find(pc, ra, sym);
}

} // namespace stack9

extern "C" int
stack9_name(uintptr_t pc, unsigned int flags, struct stack9_symbol *sym)
{
	if (sym == nullptr ||
	    (flags & ~(STACK9_RETURN_ADDRESS | STACK9_NOWAIT)) != 0)
		return EINVAL;
	return stack9::find_name(pc, flags, *sym);
}
