// Maps address space by mmap(2): this system has it, too.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include <sys/mman.h>

namespace stack9 {

inline std::byte *
map_space(std::size_t size) noexcept
{
	void *const p = mmap(nullptr, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? nullptr : static_cast<std::byte *>(p);
}

inline void
unmap_space(std::byte *p, std::size_t size) noexcept
{
	munmap(p, size);
}

} // namespace stack9
