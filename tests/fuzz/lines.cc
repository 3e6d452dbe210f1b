// Reads any bytes as a file that a process was mapped from: its names and its
// lines.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "symbols/debug_file.h"
#include "symbols/file_lines.h"
#include "symbols/file_names.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	stack9::debug_root = "/nonexistent";
	const int fd = memfd_create("image", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != static_cast<ssize_t>(size))
		std::abort();
	stack9::process::file file(1, fd, "image");
	auto &names = stack9::file_names::of(file);
	auto &lines = stack9::file_lines::of(file);
	for (std::uint64_t vaddr = 0; vaddr < 0x2000; vaddr += 0x21) {
		stack9::function_name f;
		if (names.find(vaddr, f) && f.name.size() >= stack9::name_max)
			std::abort();
		const auto levels = lines.find(vaddr, false);
		for (const stack9::source_level &l : *levels)
			if (strlen(l.function) + strlen(l.file) > size * 4)
				std::abort();
	}
	return 0;
}
