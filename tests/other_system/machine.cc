// Puts one backend, and names of dladdr(3), beneath rooms of another system.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>

#include <dlfcn.h>

#include "backends/self/routes.h"
#include "core/seam/backend.h"
#include "core/seam/symbols.h"
#include "os/thread_stat.h"

namespace stack9 {

namespace self {
extern rules_route own_stack;
} // namespace self

namespace {

constinit own_route *const own[] = {&self::own_stack};
constinit const backend of_own_stacks{.name = "self", .self = own};
constinit const backend *const all[] = {&of_own_stacks};

} // namespace

constinit const std::span<const backend *const> backends{all};

int
elf_find(std::uintptr_t pc, bool return_address, symbol_name &sym) noexcept
{
	Dl_info info;
	if (dladdr(reinterpret_cast<void *>(pc - return_address), &info) == 0 ||
	    info.dli_sname == nullptr)
		return ENOENT;
	sym = {};
	copy_name(sym.name, info.dli_sname);
	sym.offset = pc - reinterpret_cast<std::uintptr_t>(info.dli_saddr);
	return 0;
}

int
elf_find_nowait(std::uintptr_t, bool, symbol_name &) noexcept
{
	return EAGAIN;
}

void
elf_learn_nowait(std::span<const std::uintptr_t>, bool) noexcept
{
}

int
kallsyms_find(std::uintptr_t, bool, symbol_name &) noexcept
{
	return EOPNOTSUPP;
}

int
kallsyms_find_nowait(std::uintptr_t, bool, symbol_name &) noexcept
{
	return EOPNOTSUPP;
}

bool
kallsyms_loaded() noexcept
{
	return false;
}

int
kallsyms_readable() noexcept
{
	return EOPNOTSUPP;
}

// No process has a space that is known.
int
space_of_now(const stack9_thread &, unique_space &) noexcept
{
	return EOPNOTSUPP;
}

void
space_hold(stack9_space &) noexcept
{
}

void
space_drop(stack9_space *) noexcept
{
}

bool
is_silent(const stack9_space &) noexcept
{
	return true;
}

written_search
walk_written(stack9_space &, const user_copy &, const written_question &,
    stack_record &, written_stack &) noexcept
{
	return written_search::none;
}

bool
space_has(stack9_space &, const std::uintptr_t *, std::uint32_t) noexcept
{
	return false;
}

space_walk
walk_copy(stack9_space &, const user_copy &, stack_record &, std::uint64_t &)
    noexcept
{
	return space_walk::done;
}

} // namespace stack9
