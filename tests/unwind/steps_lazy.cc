// Makes the dynamic linker work, in parts: calls bound at their first use, by
// both kinds of procedure linkage table, and libraries that come and go.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "steps_work.h"

#include <cstdlib>

#include <dlfcn.h>
#include <link.h>

#include "steps_library.h"

namespace steps {

namespace {

void		*library;
library::run	 outer_run;

void
close()
{
	dlclose(library);
}

void
open(const char *path)
{
	library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (library != nullptr)
		outer_run = reinterpret_cast<library::run>(
		    dlsym(library, "outer_run"));
	if (outer_run == nullptr)
		std::abort();
}

void open_plain() { open(STEPS_OUTER); }
void open_ibt() { open(STEPS_OUTER_IBT); }

void
call_outer()
{
	use(outer_run(3));	// binds
	use(outer_run(4));
}

void
open_call_close()
{
	open_plain();
	use(outer_run(5));
	close();
}

int
each(dl_phdr_info *info, std::size_t, void *count)
{
	*static_cast<int *>(count) += info->dlpi_phnum;
	return 0;
}

void
look_around()
{
	int count = 0;
	dl_iterate_phdr(each, &count);
	use(count);
}

constexpr part parts[]{
	{.name = "lazy binding", .work = call_outer, .prepare = open_plain,
	    .finish = close, .throws = 2, .library = true},
	{.name = "lazy binding, IBT", .work = call_outer, .prepare = open_ibt,
	    .finish = close, .throws = 2, .library = true},
	// _init(), _fini() and what else crti.o and crtbegin.o bring along.
	{.name = "dlopen and dlclose", .work = open_call_close, .throws = 1,
	    .unknown = 100, .locked = true, .library = true},
	{.name = "dl_iterate_phdr", .work = look_around, .locked = true},
};

} // namespace

const bool compiled_libraries = STEPS_LIBRARIES;
const unsigned int compiled_misled = STEPS_MISLED;

std::span<const part>
parts_of_library() noexcept
{
	return parts;
}

} // namespace steps
