// Reads any text as a perf map: the last line that covers an address has the
// last word on it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>


#include "core/seam/record.h"
#include "symbols/perf_map.h"

namespace {

void
check(const stack9::perf_map &map, std::uint64_t pc)
{
	const auto *const e = map.find(pc);
	if (e == nullptr)
		return;
	if (pc - e->start >= e->size) {
		std::fprintf(stderr, "perf_map: past its end at %#llx\n",
		    static_cast<unsigned long long>(pc));
		std::abort();
	}
	for (const std::size_t size : {std::size_t{1}, std::size_t{7},
	    stack9::name_max}) {
		static char text[stack9::name_max];
		map.name(*e, text, size);
		if (strnlen(text, size) == size)
			std::abort();
	}
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	const stack9::perf_map map(
	    std::string(reinterpret_cast<const char *>(data), size));
	for (std::uint64_t pc = 0; pc < 0x4000; pc += 0x7f)
		check(map, pc);
	check(map, UINT64_MAX);
	return 0;
}
