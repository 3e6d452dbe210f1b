// Reads any bytes as a Go program: rows, names and lines of its own tables.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core/seam/record.h"
#include "languages/go_table.h"
#include "languages/languages.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace languages = stack9::languages;
	stack9::process::file file(1, file_of(data, size), "program");
	std::vector<std::uint64_t> places{0, 0x1000, 0x401000};
	if (const auto *const table = languages::go_table::of(file)) {
		languages::go_function f;
		// Each part of the image may be where its code begins.
		for (const auto &t : languages::go_image_of(file).texts)
			places.push_back(t);
		for (std::uint64_t at = 0x400000; at < 0x408000; at += 0x80)
			if (table->find(at, f))
				places.push_back(f.begin);
	}
	for (const std::uint64_t place : places)
		for (std::uint64_t vaddr = place; vaddr < place + 0x100;
		    vaddr += 0x11) {
			stack9::unwind::row row{};
			languages::row_of(file, vaddr, row);
			std::string name, path;
			std::uint64_t start, length;
			unsigned int line;
			if (languages::name_of(file, vaddr, name, start,
			    length) && vaddr < start)
				fail("a name of what comes behind it");
			languages::line_of(file, vaddr, name, path, line);
		}
	return 0;
}
