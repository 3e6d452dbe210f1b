// Copies the vdso of a process, from our own where the two are the same.  A
// kernel has one vdso for each kind of program.  From here they differ only in
// size, and in that those of 32-bit programs lie at low addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "open_mapped.h"

#include <algorithm>

#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "os/process_memory.h"

namespace stack9::process {
namespace {

constexpr std::size_t size_max = 1 << 20;

// Computes the size of our vdso.  It ends with its section headers, in the last
// page of its one segment or after it.
std::size_t
own_size(std::uintptr_t at) noexcept
{
	const auto &header = *reinterpret_cast<const ElfW(Ehdr) *>(at);
	const auto *const segments =
	    reinterpret_cast<const ElfW(Phdr) *>(at + header.e_phoff);
	std::size_t end = header.e_shoff +
	    std::size_t{header.e_shnum} * header.e_shentsize;
	for (unsigned int n = 0; n < header.e_phnum; n++)
		if (segments[n].p_type == PT_LOAD)
			end = std::max(end, std::size_t{segments[n].p_offset +
			    segments[n].p_filesz});
	const std::size_t page = static_cast<std::size_t>(getpagesize());
	return (end + page - 1) / page * page;
}

bool
lies_low(std::uintptr_t at) noexcept
{
	return at >> 32 == 0;
}

} // namespace

bool
read_vdso(pid_t tid, const mapping &m, std::vector<std::byte> &to)
{
	const std::uintptr_t here = getauxval(AT_SYSINFO_EHDR);
	const std::size_t size = m.end - m.start;
	if (here != 0 && size == own_size(here) &&
	    lies_low(m.start) == lies_low(here)) {
		const auto *const from =
		    reinterpret_cast<const std::byte *>(here);
		to.assign(from, from + size);
		return true;
	}
	if (size > size_max)
		return false;
	to.resize(size);
	return read_process(tid, m.start, to.data(), size) ==
	    static_cast<ssize_t>(size);
}

} // namespace stack9::process
