// Does the thing that its argument names: symbols_probe THING.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "probe.h"

#include <cstdio>

namespace {

int __attribute__((noinline))
a_function()
{
	asm volatile("");
	return 1;
}

} // namespace

std::uintptr_t
here() noexcept
{
	return reinterpret_cast<std::uintptr_t>(a_function);
}

bool
is_here(int error, const stack9::symbol_name &s) noexcept
{
	return error == 0 && strstr(s.name, "a_function") != nullptr &&
	    s.offset == 0 && strcmp(s.module, "symbols_probe") == 0;
}

namespace {

struct thing {
	const char	*name;
	std::string	(*does)();
};
const thing things[] = {
	{"eagain", eagain},
	{"hidden", hidden},
	{"fork-kallsyms", fork_kallsyms},
	{"reload", reload},
	{"fork-elf", fork_elf},
	{"malloc", no_malloc},
	{"segv", segv_in_malloc},
	{"stack", stack},
	{"lock", no_lock},
};

} // namespace

int
main(int argc, char **argv)
{
	for (const thing &t : things)
		if (argc == 2 && strcmp(argv[1], t.name) == 0) {
			puts(t.does().c_str());
			return 0;
		}
	return 64;
}
