// Reads any text as /proc/PID/maps: each line is taken apart, or is none.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "process/maps.h"

#include "fuzz.h"

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	std::string_view text(reinterpret_cast<const char *>(data), size);
	const std::string_view all = text;
	stack9::process::maps_line line;
	while (stack9::process::next_line(text, line)) {
		if (line.path.size() > all.size() || (!line.path.empty() &&
		    (line.path.data() < all.data() || line.path.data() +
		    line.path.size() > all.data() + all.size())))
			fail("a path outside the text");
		bool deleted;
		if (path_of(line, deleted).size() > line.path.size())
			fail("a path that grew");
	}
	return 0;
}
