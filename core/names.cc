// Finds names for addresses: by the kernel's own formatting for a few kernel
// addresses, by its symbol table for many, and by the files of this process for
// the rest.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/names.h"

#include <atomic>
#include <cerrno>

#include "route.h"
#include "core/seam/symbols.h"
#include "os/kernel_names.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// One name by the kernel costs about 1 us; its table costs 40 to 60 ms once.
constexpr unsigned int many = 40000;

std::atomic<unsigned int> times_asked{0};

class kallsyms_route final : public name_route {
public:
	constexpr kallsyms_route()
	    : name_route(kernel_table, kernel_table_is, 90) {}

	verdict
	can() noexcept override
	{
		const int error = kallsyms_readable();
		return {error == ENOENT ? EOPNOTSUPP : error,
		    kernel_table_refused(error)};
	}

	bool ready() const noexcept override { return kallsyms_loaded(); }

	int
	find(std::uintptr_t pc, unsigned int flags, symbol_name &sym)
	    noexcept override
	{
		const bool ra = (flags & name_return_address) != 0;
		return (flags & name_nowait) ?
		    kallsyms_find_nowait(pc, ra, sym) :
		    kallsyms_find(pc, ra, sym);
	}
};

constinit kallsyms_route the_table;

// EAGAIN: the caller may not wait, and the route would have to.
int
ask(name_route &r, std::uintptr_t pc, unsigned int flags, symbol_name &sym)
    noexcept
{
	// The table answers for itself: can() would read it for each name.
	if (flags & name_nowait)
		return r.ready() || &r == &the_table ?
		    r.find(pc, flags, sym) : EAGAIN;
	const int refused = &r == &the_table ? 0 : r.can().error;
	return refused != 0 ? refused : r.find(pc, flags, sym);
}

struct question {
	std::uintptr_t	 pc;
	unsigned int	 flags;
	symbol_name	&sym;
	int		 refused = EOPNOTSUPP;	// the refusal to report
};

// Asks the table, or the other routes.  0, ENOENT, or another errno: ask on.
int
ask_routes(question &q, bool table) noexcept
{
	stack_record unused;
	return first_answer<job::name>(unused, [&](name_route &r) {
		if ((&r == &the_table) != table)
			return answer::refused(0, nullptr);
		const int error = ask(r, q.pc, q.flags, q.sym);
		if (error == 0 || error == ENOENT)
			return answer::is(error);
		// The table's word counts: hidden, or not read yet.
		if (table || q.refused == EOPNOTSUPP)
			q.refused = error;
		return answer::refused(error, nullptr);
	});
}

int
find_kernel(std::uintptr_t pc, unsigned int flags, symbol_name &sym) noexcept
{
	// With STACK9_NOWAIT there is no table unless another call has read it.
	const bool table_first = kallsyms_loaded() ||
	    (!(flags & name_nowait) &&
	    times_asked.fetch_add(1, std::memory_order_relaxed) >= many);
	question q{pc, flags, sym};
	for (const bool table : {table_first, !table_first}) {
		const int error = ask_routes(q, table);
		if (error == 0 || error == ENOENT)
			return error;
	}
	return q.refused;
}

} // namespace

name_route &
table_route() noexcept
{
	return the_table;
}

void
learn_names(std::span<const std::uintptr_t> pcs) noexcept
{
	const uncancelled guard;
	elf_learn_nowait(pcs, false);
}

int
find_name(std::uintptr_t pc, unsigned int flags, symbol_name &sym) noexcept
{
	const uncancelled guard;
	if (is_kernel_address(pc))
		return find_kernel(pc, flags, sym);
	const bool ra = (flags & name_return_address) != 0;
	return (flags & name_nowait) ? elf_find_nowait(pc, ra, sym) :
	    elf_find(pc, ra, sym);
}

} // namespace stack9
