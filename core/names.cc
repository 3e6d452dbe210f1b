// Finds names for addresses: by the kernel's own formatting for a few kernel
// addresses, by its symbol table for many, and by the files of this process for
// the rest.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/names.h"

#include <atomic>
#include <string_view>

#include <fcntl.h>

#include "route.h"
#include "core/seam/symbols.h"
#include "os/proc_task.h"
#include "os/uncancelled.h"

namespace stack9 {
namespace {

// One name by the kernel costs about 1 us; its table costs 40 to 60 ms once.
constexpr unsigned int many = 40000;

std::atomic<unsigned int> times_asked{0};

// With the value 2 no capability helps.  The value 0 is no way out: then the
// addresses show only where kernel.perf_event_paranoid is 1 or less, too.
bool
hides_from_all() noexcept
{
	char buffer[16];
	std::string_view text;
	proc_file f;
	return f.open(AT_FDCWD, "/proc/sys/kernel/kptr_restrict") == 0 &&
	    f.read(buffer, text) == 0 && text.starts_with("2");
}

class kallsyms_route final : public name_route {
public:
	constexpr kallsyms_route() : name_route("kallsyms",
	    "the kernel's symbol table, /proc/kallsyms", 90) {}

	verdict
	can() noexcept override
	{
		const int error = kallsyms_readable();
		if (error == EPERM)
			return {EPERM, hides_from_all() ?
			    "/proc/kallsyms shows no addresses: needs "
			    "kernel.kptr_restrict=1 and CAP_SYSLOG" :
			    "/proc/kallsyms shows no addresses: needs "
			    "CAP_SYSLOG"};
		return {error == ENOENT ? EOPNOTSUPP : error, error == ENOENT ?
		    "there is no /proc/kallsyms" :
		    "/proc/kallsyms cannot be read just now"};
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
