// Reads any bytes as a program: its sections of unwind information are found,
// and each row that they give covers its address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "process/file.h"
#include "process/tables.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace process = stack9::process;
	process::file file(1, file_of(data, size), "program");
	process::tables *const tables = process::tables::of(file);
	if (tables == nullptr)
		return 0;
	for (std::uint64_t vaddr = 0; vaddr < 0x2000; vaddr += 0x1d) {
		stack9::unwind::row row{};
		if (tables->eh_frame_row(file, vaddr, row) ==
		    stack9::unwind::found::yes &&
		    vaddr - row.begin >= row.end - row.begin)
			fail("a row of another function");
		row = {};
		if (tables->debug_frame_row(file, vaddr, row) ==
		    stack9::unwind::found::yes &&
		    vaddr - row.begin >= row.end - row.begin)
			fail("a row of another function");
	}
	return 0;
}
