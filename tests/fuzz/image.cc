// Reads any bytes as the memory of a process whose file cannot be opened: the
// file that is made of them is not larger than its bounds, and its rows cover
// their addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstring>

#include "core/seam/record.h"
#include "process/file.h"
#include "process/memory_image.h"
#include "process/tables.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace process = stack9::process;
	constexpr std::uintptr_t base = 0x10000;
	process::mapping first, code;
	first.start = code.start = base;
	first.end = code.end = base + size;
	first.inode = code.inode = 1;
	first.path = code.path = "program";
	first.readable = code.readable = code.executable = true;
	code.is_refused = true;
	process::add_images({&first, &code}, [&](std::uintptr_t from, void *to,
	    std::size_t n) {
		if (from < base || from - base > size || n > size -
		    (from - base))
			return false;
		std::memcpy(to, data + (from - base), n);
		return true;
	});
	if (code.backing == nullptr)
		return 0;
	process::tables *const tables = process::tables::of(*code.backing);
	for (std::uint64_t vaddr = 0; tables != nullptr && vaddr < 0x2000;
	    vaddr += 0x1d) {
		stack9::unwind::row row{};
		if (tables->eh_frame_row(*code.backing, vaddr, row) ==
		    stack9::unwind::found::yes &&
		    vaddr - row.begin >= row.end - row.begin)
			fail("a row of another function");
	}
	return 0;
}
