// Names for addresses: the kernel's own formatting for a few, its symbol
// table for many; this process's files for the rest.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/names.h"

#include <atomic>

#include "route.h"
#include "core/seam/symbols.h"
#include "os/linux/uncancelled.h"

namespace stack9 {
namespace {

// A look-up by the kernel costs about 1 us, its table 40 to 60 ms once.
constexpr unsigned int many = 40000;

std::atomic<unsigned int> asked{0};

class kallsyms_route final : public route {
public:
	constexpr kallsyms_route() : route("kallsyms",
	    "the kernel's symbol table, /proc/kallsyms", job::name, 90) {}

	verdict
	can() noexcept override
	{
		const int error = kallsyms_readable();
		if (error == EPERM)
			return {EPERM, "/proc/kallsyms shows no addresses: "
			    "needs CAP_SYSLOG, or kernel.kptr_restrict=0"};
		return {error == ENOENT ? EOPNOTSUPP : error, error == ENOENT ?
		    "there is no /proc/kallsyms" :
		    "/proc/kallsyms cannot be read just now"};
	}

	bool ready() const noexcept override { return kallsyms_loaded(); }

	int
	find(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym)
	    noexcept override
	{
		const bool ra = (flags & STACK9_RETURN_ADDRESS) != 0;
		return (flags & STACK9_NOWAIT) ?
		    kallsyms_find_nowait(pc, ra, sym) :
		    kallsyms_find(pc, ra, sym);
	}
};

constinit kallsyms_route the_table;

// EAGAIN: may not wait, and would have to.
int
ask(route &r, std::uintptr_t pc, unsigned int flags, stack9_symbol &sym)
    noexcept
{
	if (flags & STACK9_NOWAIT)
		return r.ready() ? r.find(pc, flags, sym) : EAGAIN;
	// The table answers for itself: can() would read it for each name.
	const int refused = &r == &the_table ? 0 : r.can().error;
	return refused != 0 ? refused : r.find(pc, flags, sym);
}

int
find_kernel(std::uintptr_t pc, unsigned int flags, stack9_symbol &sym) noexcept
{
	// Who may not wait has no table unless somebody else has read it.
	const bool table_first = kallsyms_loaded() ||
	    (!(flags & STACK9_NOWAIT) &&
	    asked.fetch_add(1, std::memory_order_relaxed) >= many);
	int told = EOPNOTSUPP;
	for (const bool table : {table_first, !table_first}) {
		job_routes routes(job::name);
		while (route *r = routes.next()) {
			if ((r == &the_table) != table)
				continue;
			const int error = ask(*r, pc, flags, sym);
			if (error == 0 || error == ENOENT)
				return error;
			// The table's word counts: hidden, or not read yet.
			if (table || told == EOPNOTSUPP)
				told = error;
		}
	}
	return told;
}

} // namespace

route &
table_route() noexcept
{
	return the_table;
}

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
