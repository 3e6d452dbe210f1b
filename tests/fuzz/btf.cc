// Reads any bytes as the kernel's BTF: strings are found in it, and nothing
// outside.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <vector>

#include "backends/linux-events/probes/btf_strings.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	namespace events = stack9::events;
	// The copy is a block of its own: ASan guards both ends.
	const std::vector<char> copy(data, data + size);
	const std::string_view strings = events::strings_in_btf(
	    {copy.data(), copy.size()});
	for (const char *const prefix : {"", "vfs_", "a"})
		events::each_string(strings, prefix, [&](std::string_view s) {
			if (s.data() < strings.data() || s.data() + s.size() >
			    strings.data() + strings.size())
				fail("a string outside");
			// The first NUL may be the end of another section.
			if (!events::has_string(strings, prefix +
			    std::string(s)))
				fail("a string that is not there");
		});
	return 0;
}
