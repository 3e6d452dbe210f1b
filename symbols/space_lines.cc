// Finds source lines of any process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <new>
#include <system_error>

#include "process/space.h"
#include "core/seam/reader.h"
#include "core/seam/symbols.h"

#include "file_lines.h"

namespace stack9 {
namespace {

source_levels
find(stack9_space &space, std::uintptr_t pc, unsigned int flags)
{
	process::place at;
	if ((flags & name_return_address) != 0)
		pc--;
	if (!space.find(pc, at) || at.backing == nullptr ||
	    !at.backing->is_elf() || at.vaddr == 0)
		return nullptr;
	return file_lines::of(*at.backing).find(at.vaddr,
	    (flags & name_debuginfod) != 0);
}

// No lock is held, because fn may ask for lines itself.
int
report(const source_levels &levels, source_line_fn *fn, void *arg)
{
	for (const source_level &l : *levels) {
		const source_line line{l.function, l.file,
		    static_cast<unsigned int>(l.line),
		    static_cast<unsigned int>(l.column), l.inlined};
		if (const int stop = fn(arg, &line); stop != 0)
			return stop;
	}
	return 0;
}

} // namespace

int
space_lines(stack9_space &space, std::uintptr_t pc, unsigned int flags,
    source_line_fn *fn, void *arg) noexcept
{
	if (reader *const r = the_reader.load())
		return r->lines(space, pc, flags, fn, arg);
	const int error = errno;
	source_levels levels;
	try {
		levels = find(space, pc, flags);
	} catch (const std::bad_alloc &) {
	} catch (const std::system_error &) {	// from a mutex
	}
	errno = error;
	return levels != nullptr && !levels->empty() ? report(levels, fn, arg) :
	    ENOENT;
}

} // namespace stack9
