// Demangles any name: the text fits its room, in the time that one may take.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/seam/record.h"
#include "core/seam/symbols.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	const std::string name(reinterpret_cast<const char *>(data), size);
	for (const std::size_t room : {std::size_t{2}, std::size_t{30},
	    stack9::name_max}) {
		std::string text(room + 1, '#');
		stack9::demangle(name.c_str(), text.data(), room);
		if (strnlen(text.data(), room) == room || text[room] != '#')
			std::abort();
	}
	return 0;
}
