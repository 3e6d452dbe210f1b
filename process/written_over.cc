// Compares the size and the time of a file with those that it was opened with.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "written_over.h"

#include <cstring>
#include <new>

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/seam/file_notes.h"

namespace stack9::process {
namespace {

bool
has_changed(const file &f) noexcept
{
	return f.opened() != file_state() && f.opened() != state_of(f.fd());
}

bool
has_its_build_id(const file &f) noexcept
try {
	unique_fd again(fcntl(f.fd(), F_DUPFD_CLOEXEC, 0));
	if (f.was_late() || f.build_id().empty() || !again)
		return false;
	const file now(0, again.release(), f.path());
	return now.build_id() == f.build_id();
} catch (const std::bad_alloc &) {
	return false;
}

} // namespace

bool
is_written_over(const file &f) noexcept
{
	if (!has_changed(f) || has_its_build_id(f))
		return false;
	if (f.is_elf())
		the_file_notes.add(lacking::written_over, f.path());
	return true;
}

bool
is_another_program(const file &f) noexcept
{
	char magic[SELFMAG];
	return has_changed(f) &&
	    pread(f.fd(), magic, sizeof magic, 0) == sizeof magic &&
	    std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

} // namespace stack9::process
