// Implements the C entry points of address spaces and of the names in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/space.h"

#include <cerrno>

#include "core/seam/symbols.h"
#include "os/linux/uncancelled.h"

namespace stack9 {
namespace {

constexpr unsigned int name_flags = STACK9_RETURN_ADDRESS;
constexpr unsigned int line_flags = STACK9_RETURN_ADDRESS | STACK9_DEBUGINFOD;

} // namespace
} // namespace stack9

extern "C" int
stack9_space_open(const struct stack9_thread *td, struct stack9_space **space)
{
	if (td == nullptr || td->tid < 1 || space == nullptr)
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::space_open(*td, *space);
}

extern "C" struct stack9_space *
stack9_space_hold(struct stack9_space *space)
{
	if (space != nullptr)
		stack9::space_hold(*space);
	return space;
}

extern "C" void
stack9_space_close(struct stack9_space *space)
{
	const stack9::uncancelled guard;
	stack9::space_drop(space);
}

extern "C" int
stack9_space_name(struct stack9_space *space, uintptr_t pc,
    unsigned int flags, struct stack9_symbol *sym)
{
	if (space == nullptr || sym == nullptr ||
	    (flags & ~stack9::name_flags) != 0)
		return EINVAL;
	const bool return_address = (flags & STACK9_RETURN_ADDRESS) != 0;
	if (stack9::space_find_again(*space, pc, return_address, *sym))
		return 0;
	const stack9::uncancelled guard;
	return stack9::space_find(*space, pc, return_address, *sym);
}

extern "C" int
stack9_space_module(struct stack9_space *space, uintptr_t pc,
    struct stack9_module *module)
{
	if (space == nullptr || module == nullptr)
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::space_module(*space, pc, *module);
}

extern "C" int
stack9_space_lines(struct stack9_space *space, uintptr_t pc,
    unsigned int flags, stack9_line_fn *fn, void *arg)
{
	if (space == nullptr || fn == nullptr ||
	    (flags & ~stack9::line_flags) != 0)
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::space_lines(*space, pc, flags, fn, arg);
}

extern "C" int
stack9_demangle(const char *name, char *text, size_t size)
{
	if (name == nullptr || text == nullptr || size == 0)
		return EINVAL;
	const stack9::uncancelled guard;
	return stack9::demangle(name, text, size);
}
